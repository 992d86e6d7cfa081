// The commands behind `npm test`, `npm run lint` … Each command is a list of steps, which run one after the other until
// one fails. The steps of an inner list run at the same time, and all of them to their end.
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'
import { generateValidators } from './validators.mjs'

const bin = name => join(root, 'node_modules', name)
const step = (label, args) => ({ label, args })
// Incremental: files that have not changed since the last run are not checked again.
const known = ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules', '.cache', 'types.tsbuildinfo')]
// One checker, because several repeat the work for shared files: four take twice the CPU time of one.
const types = step('types', [bin('typescript/bin/tsc'), '-p', 'tsconfig.json', '--checkers', '1', ...known])
const lint = step('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'])
const tests = kind => step('tests', [join(root, 'tools', 'tests', 'main.ts'), kind])
const unit = files => (files.length > 0 ? step('tests', [bin('mocha/bin/mocha.js'), ...files]) : tests('all'))

const commands = {
  types: () => [types],
  lint: () => [lint],
  unit: rest => [unit(rest)],
  check: () => [[types, lint, tests('all')]],
  'check:fast': () => [[types, lint, tests('fast')]],
  format: () => [step('format', [bin('@biomejs/biome/bin/biome'), 'check', '--write', '.'])],
  bench: rest => [step('bench', [join(root, 'bench', 'main.ts'), ...rest])],
  'bench:store': rest => [step('bench', [join(root, 'bench', 'store', 'main.ts'), ...rest])],
  'bench:routing': rest => [step('bench', [join(root, 'bench', 'routing', 'main.ts'), ...rest])],
  'bench:batches': rest => [step('bench', [join(root, 'bench', 'batches', 'main.ts'), ...rest])],
  'bench:scaling': rest => [step('bench', [join(root, 'bench', 'scaling', 'main.ts'), ...rest])],
  'bench:console': rest => [step('bench', [join(root, 'bench', 'console', 'main.ts'), ...rest])],
  'bench:attack': rest => [step('bench', [join(root, 'bench', 'attack', 'main.ts'), ...rest])],
  build: () => [
    // A compiled file whose source was deleted must not be published.
    step('clean', ['-e', "require('node:fs').rmSync('dist', { recursive: true, force: true })"]),
    step('build', [bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json']),
    step('docs', [join(root, 'tools', 'docs', 'main.ts')]),
    step('assets', [join(root, 'bin', 'copy-assets.mjs')]),
  ],
  generate: () => [step('generate', [join(root, 'tools', 'generate', 'main.ts')])],
  screenshots: rest => [step('screenshots', [join(root, 'bin', 'console-screenshots.mjs'), ...rest])],
  docs: () => [step('docs', [join(root, 'tools', 'docs', 'main.ts')])],
  reference: () => [step('reference', [join(root, 'bin', 'config-reference.mjs')])],
  release: rest => [step('release', [join(root, 'tools', 'release', 'main.ts'), ...rest])],
  'new-plugin': rest => [step('new-plugin', [join(root, 'bin', 'new-plugin.mjs'), ...rest])],
}

const [name, ...rest] = process.argv.slice(2)
const steps = commands[name]
if (steps === undefined) {
  process.stderr.write(`Usage: node bin/dev.mjs ${Object.keys(commands).join('|')}\n`)
  process.exit(2)
}
install()
await generateValidators()
process.chdir(root)
const isOne = steps(rest).flat().length === 1
for (const atOnce of steps(rest)) {
  const failed = await failuresOf([atOnce].flat())
  if (failed.length > 0) {
    process.stderr.write(`\n${failed.join(', ')} failed.\n`)
    process.exit(1)
  }
}

/** Runs steps at the same time. Resolves with the labels of those that failed. */
async function failuresOf(atOnce) {
  const codes = await Promise.all(atOnce.map(run))
  return atOnce.filter((_, index) => codes[index] !== 0).map(({ label }) => label)
}

async function run({ label, args }) {
  const started = Date.now()
  // Forwarding SIGINT is harmless although a terminal sends it too: the first one ends each of these programs.
  const code = await runNode(args, true)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (!isOne) process.stdout.write(`${label}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)\n`)
  return code
}
