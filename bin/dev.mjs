// The commands behind `npm test`, `npm run lint` … Each is a list of steps; the first one that fails ends it.
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'

const bin = name => join(root, 'node_modules', name)
const types = ['types', [bin('typescript/bin/tsc'), '-p', 'tsconfig.json']]
const lint = ['lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']]
/** Suites that start processes or services, or wait for seconds. */
const SLOW = ['test/e2e/**', 'test/**/*.slow.test.ts']
const fast = ['tests', [bin('mocha/bin/mocha.js'), ...SLOW.flatMap(glob => ['--ignore', glob]), 'test/**/*.test.ts']]
const unit = rest => ['tests', [bin('mocha/bin/mocha.js'), ...(rest.length > 0 ? rest : ['test/**/*.test.ts'])]]

const commands = {
  types: () => [types],
  lint: () => [lint],
  unit: rest => [unit(rest)],
  check: rest => [types, lint, unit(rest)],
  'check:fast': () => [types, lint, fast],
  format: () => [['format', [bin('@biomejs/biome/bin/biome'), 'check', '--write', '.']]],
  bench: rest => [['bench', [join(root, 'bench', 'main.ts'), ...rest]]],
  'bench:store': rest => [['bench', [join(root, 'bench', 'store', 'main.ts'), ...rest]]],
  'bench:routing': rest => [['bench', [join(root, 'bench', 'routing', 'main.ts'), ...rest]]],
  'bench:scaling': rest => [['bench', [join(root, 'bench', 'scaling', 'main.ts'), ...rest]]],
  'bench:console': rest => [['bench', [join(root, 'bench', 'console', 'main.ts'), ...rest]]],
  'bench:attack': rest => [['bench', [join(root, 'bench', 'attack', 'main.ts'), ...rest]]],
  build: () => [
    // A file whose source is gone must not be published.
    ['clean', ['-e', "require('node:fs').rmSync('dist', { recursive: true, force: true })"]],
    ['build', [bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json']],
    ['assets', [join(root, 'bin', 'copy-assets.mjs')]],
  ],
  generate: () => [['generate', [join(root, 'tools', 'types', 'main.ts')]]],
  screenshots: () => [['screenshots', [join(root, 'bin', 'console-screenshots.mjs')]]],
  reference: () => [['reference', [join(root, 'bin', 'config-reference.mjs')]]],
  'new-plugin': rest => [['new-plugin', [join(root, 'bin', 'new-plugin.mjs'), ...rest]]],
}

const [name, ...rest] = process.argv.slice(2)
const steps = commands[name]
if (steps === undefined) {
  process.stderr.write(`Usage: node bin/dev.mjs ${Object.keys(commands).join('|')}\n`)
  process.exit(2)
}
install()
process.chdir(root)
for (const [label, args] of steps(rest)) {
  const started = Date.now()
  const code = await runNode(args)
  if (code !== 0) {
    process.stderr.write(`\n${label} failed.\n`)
    process.exit(code)
  }
  if (steps(rest).length > 1) process.stdout.write(`${label}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)\n`)
}
