import { fileURLToPath } from 'node:url'
import { readArguments, required, runAction } from './command.ts'
import { print } from './output.ts'
import { writePackage } from './plugin-template.ts'

export const usage = `Usage: sluiceway plugin new NAME

Writes a package for your own plugin into the directory NAME: the plugin, a test that passes, and the settings of a
strict type check. NAME consists of lower-case words joined by hyphens.
`

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { new: create })
}

async function create(argv: readonly string[]): Promise<number> {
  const { positionals } = readArguments(argv, {}, 1)
  const name = required(positionals[0], 'NAME')
  const files = writePackage(process.cwd(), name)
  return print(`${files.join('\n')}\n\n${nextSteps(name)}`)
}

/** The directory of this gateway. The package links to it, so that the plugin loads no second copy. */
const GATEWAY = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '')

function nextSteps(name: string): string {
  return `Next:
  cd ${name}
  npm install --save-dev ${GATEWAY}
  npm test
  npm run types

To switch the plugin on, add it to the chain in the configuration, with a path relative to the file:
  plugins: { base: default, add: [{ use: ./${name}/index.ts, after: model }] }

Then 'sluiceway check --config FILE' checks it, and 'sluiceway explain --config FILE' shows where it runs.
docs/PLUGINS.md explains hooks, slots and services.
`
}
