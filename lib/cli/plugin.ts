import { fileURLToPath } from 'node:url'
import { readArguments, required, UsageError } from './command.ts'
import { writePackage } from './plugin-template.ts'

export const usage = `Usage: sluiceway plugin new NAME

Writes a package for a plugin of your own into the directory NAME: the plugin, a test that passes, and the settings for a strict
type check. NAME is lower-case words joined by hyphens.
`

export async function run(argv: readonly string[]): Promise<number> {
  const [action, ...rest] = argv
  if (action !== 'new')
    throw new UsageError(action === undefined ? "'new' is needed" : `there is no action '${action}'`)
  const { positionals } = readArguments(rest, {}, 1)
  const name = required(positionals[0], 'NAME')
  const files = writePackage(process.cwd(), name)
  process.stdout.write(`${files.join('\n')}\n\n${nextSteps(name)}`)
  return 0
}

/** This gateway's own directory: linked into the package, so that the plugin loads no second copy of it. */
const GATEWAY = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '')

function nextSteps(name: string): string {
  return `Next:
  cd ${name}
  npm install --save-dev ${GATEWAY}
  npm test
  npm run types

To switch the plugin on, add it to the chain in the configuration, with a path relative to that file:
  plugins: { base: default, add: [{ use: ./${name}/index.ts, after: model }] }

Then 'sluiceway check --config FILE' checks it, and 'sluiceway explain --config FILE' shows where it runs.
docs/PLUGINS.md explains hooks, slots and services.
`
}
