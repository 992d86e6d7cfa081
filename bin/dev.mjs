// The commands behind `npm test`, `npm run lint` … Each is a list of steps. One after the other, the first one that fails
// ends it; a list within the list runs at once, to its end.
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'
import { generateValidators } from './validators.mjs'

const bin = name => join(root, 'node_modules', name)
const step = (label, args) => ({ label, args })
// What did not change since the last run is not checked again.
const known = ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules', '.cache', 'types.tsbuildinfo')]
// Each further checker checks again what the files have in common: four take twice the CPU of one.
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
  'bench:scaling': rest => [step('bench', [join(root, 'bench', 'scaling', 'main.ts'), ...rest])],
  'bench:console': rest => [step('bench', [join(root, 'bench', 'console', 'main.ts'), ...rest])],
  'bench:attack': rest => [step('bench', [join(root, 'bench', 'attack', 'main.ts'), ...rest])],
  build: () => [
    // A file whose source is gone must not be published.
    step('clean', ['-e', "require('node:fs').rmSync('dist', { recursive: true, force: true })"]),
    step('build', [bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json']),
    step('assets', [join(root, 'bin', 'copy-assets.mjs')]),
  ],
  generate: () => [step('generate', [join(root, 'tools', 'generate', 'main.ts')])],
  screenshots: () => [step('screenshots', [join(root, 'bin', 'console-screenshots.mjs')])],
  reference: () => [step('reference', [join(root, 'bin', 'config-reference.mjs')])],
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

/** Runs these at once, and resolves with the labels of those that failed. */
async function failuresOf(atOnce) {
  const codes = await Promise.all(atOnce.map(run))
  return atOnce.filter((_, index) => codes[index] !== 0).map(({ label }) => label)
}

async function run({ label, args }) {
  const started = Date.now()
  // A second SIGINT does no harm here: the first one ends each of these.
  const code = await runNode(args, true)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (!isOne) process.stdout.write(`${label}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s)\n`)
  return code
}
