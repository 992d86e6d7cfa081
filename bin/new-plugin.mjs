// `npm run new-plugin FAMILY/NAME`: writes a built-in plugin with its test and its page, from plugins/_template.
import { root } from './bootstrap.mjs'

const { writeBuiltIn } = await import('../lib/cli/plugin.ts')
const { CommandError } = await import('../lib/cli/command.ts')

const [path, ...rest] = process.argv.slice(2)
if (path === undefined || rest.length > 0) {
  process.stderr.write('Usage: npm run new-plugin FAMILY/NAME\n')
  process.exit(2)
}
try {
  const files = writeBuiltIn(root, path)
  const name = path.split('/').at(-1)
  process.stdout.write(`${files.join('\n')}

Write the type of its options, now and after each change of options.json: npm run generate
Run its test: npm run unit -- test/plugins/${path}.test.ts
To switch it on, add \`- use: ${name}\` to config/default-chain.yaml at its position. docs/PLUGINS.md explains more.
`)
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
