import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from '../base/make-directory.ts'
import { builtInNames } from '../process/plugin-loader.ts'
import { CommandError, readArguments, required, runAction } from './command.ts'
import { print } from './output.ts'

export const usage = `Usage: sluiceway plugin new NAME

Writes a package for your own plugin into the directory NAME: the plugin, a test that passes, and the settings of a
strict type check and of a build for npm. NAME consists of lower-case words joined by hyphens.
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
${GATEWAY}/docs/PLUGINS.md explains hooks, slots and services.
`
}

const TEMPLATE = new URL('../../plugins/_template/', import.meta.url)

/** The name of the template in its files; the name of the plugin replaces it. */
const PLACEHOLDER = '_template'

/** A file to write. `from`: its path in the template. `to`: its path in the target. */
interface Copy {
  readonly from: string
  readonly to: string
  /** Replacements of imported modules. */
  readonly imports?: Readonly<Record<string, string>>
  /** Text in front of that of the template. */
  readonly head?: string
  /** The type of the options is imported from the file that `npm run generate` writes. */
  readonly hasGeneratedOptions?: boolean
}

/** The modules that the template imports, by their paths in the repository. */
const DOOR = '../../lib/plugin.ts'
const TESTING = '../../lib/testing.ts'
const PLUGIN = `../../plugins/${PLACEHOLDER}/index.ts`

const OPTIONS_IMPORT = "import type { Options } from './generated/options.ts'"
const OPTIONS = "import options from './options.json'"
const OPTIONS_TYPE = /\/\*\* Options that .*\ninterface Options \{[^}]*\}\n\n/

/** Writes a built-in plugin, `path` `FAMILY/NAME`, and returns its files. Throws CommandError before it writes any. */
export function writeBuiltIn(root: string, path: string): readonly string[] {
  const [family = '', name = '', ...rest] = path.split('/')
  if (rest.length > 0 || name === '') throw new CommandError(`'${path}' is not FAMILY/NAME, such as rules/max-words`)
  checkName(family)
  checkName(name)
  checkTaken(name)
  const up = '../../../'
  return write(root, name, [
    {
      from: 'index.ts',
      to: `plugins/${path}/index.ts`,
      imports: { [DOOR]: `${up}lib/plugin.ts` },
      hasGeneratedOptions: true,
    },
    { from: 'options.json', to: `plugins/${path}/options.json` },
    {
      from: 'plugin.test.ts',
      to: `test/plugins/${path}.test.ts`,
      imports: {
        [TESTING]: `${up}lib/testing.ts`,
        [PLUGIN]: `${up}plugins/${path}/index.ts`,
      },
    },
    { from: 'page.md', to: `docs/plugins/${name}.md` },
  ])
}

/** Writes a package into `directory`/NAME and returns its files. Throws CommandError before it writes any. */
export function writePackage(directory: string, name: string): readonly string[] {
  checkName(name)
  checkTaken(name)
  if (existsSync(join(directory, name))) throw new CommandError(`${name} exists already`)
  return write(directory, name, [
    { from: 'package/package.json', to: `${name}/package.json` },
    { from: 'package/tsconfig.json', to: `${name}/tsconfig.json` },
    { from: 'package/tsconfig.build.json', to: `${name}/tsconfig.build.json` },
    { from: 'package/README.md', to: `${name}/README.md` },
    // npm excludes files named .gitignore from a package, so that of the template has another name.
    { from: 'package/gitignore', to: `${name}/.gitignore` },
    { from: 'index.ts', to: `${name}/index.ts`, imports: { [DOOR]: 'sluiceway/plugin' } },
    { from: 'options.json', to: `${name}/options.json` },
    {
      from: 'plugin.test.ts',
      to: `${name}/test/index.test.ts`,
      imports: { [TESTING]: 'sluiceway/testing', [PLUGIN]: '../index.ts' },
      // mocha, which tests built-in plugins, defines these functions globally.
      head: "import { describe, it } from 'node:test'\n",
    },
  ])
}

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    const rule = 'use lower-case words joined by hyphens, such as audit-log, 64 characters at most'
    throw new CommandError(`'${name}' is not a valid name for a plugin: ${rule}`)
  }
}

function checkTaken(name: string): void {
  if (builtInNames().includes(name)) throw new CommandError(`there is a built-in plugin named '${name}' already`)
}

function write(root: string, name: string, copies: readonly Copy[]): readonly string[] {
  for (const { to } of copies) if (existsSync(join(root, to))) throw new CommandError(`${to} exists already`)
  for (const { from, to, imports = {}, head = '', hasGeneratedOptions = false } of copies) {
    let text = readFileSync(new URL(from, TEMPLATE), 'utf8')
    if (hasGeneratedOptions) text = text.replace(OPTIONS_TYPE, '').replace(OPTIONS, `${OPTIONS_IMPORT}\n${OPTIONS}`)
    for (const [module, other] of Object.entries(imports)) text = text.replaceAll(`'${module}'`, `'${other}'`)
    makeDirectory(dirname(join(root, to)))
    writeFileSync(join(root, to), head + text.replaceAll(PLACEHOLDER, name))
  }
  return copies.map(({ to }) => to)
}
