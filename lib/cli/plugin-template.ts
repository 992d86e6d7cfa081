/** The template of a plugin, plugins/_template, written out as a built-in or as a package of its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtInNames } from '../process/plugin-loader.ts'
import { CommandError } from './command.ts'

const TEMPLATE = new URL('../../plugins/_template/', import.meta.url)

/** The template's own name, wherever it stands in its files. */
const PLACEHOLDER = '_template'

/** A file to write: where it comes from in the template, where it goes, and what its imports become. */
interface Copy {
  readonly from: string
  readonly to: string
  readonly imports?: Readonly<Record<string, string>>
  /** Lines before the template's first one. */
  readonly head?: string
  /** Whether the type of the options is imported, from the file that `npm run generate` writes. */
  readonly generated?: boolean
}

/** Modules as the template imports them, from its place in the repository. */
const DOOR = '../../lib/plugin.ts'
const TESTING = '../../lib/testing.ts'
const PLUGIN = `../../plugins/${PLACEHOLDER}/index.ts`

const OPTIONS_IMPORT = "import type { Options } from './generated/options.ts'"
const OPTIONS = "import options from './options.json'"
const OPTIONS_TYPE = /\/\*\* Options that .*\ninterface Options \{[^}]*\}\n\n/

/**
 * Writes a built-in plugin with its test and its page below `root`, the repository. `path`: `FAMILY/NAME`. Returns the paths of
 * the files. Throws CommandError, and writes nothing, where the path is not valid or a file exists.
 */
export function writeBuiltIn(root: string, path: string): readonly string[] {
  const [family = '', name = '', ...rest] = path.split('/')
  if (rest.length > 0 || name === '') throw new CommandError(`'${path}' is not FAMILY/NAME, such as rules/max-words`)
  checkName(family)
  checkName(name)
  checkTaken(name)
  const up = '../../../'
  return write(root, name, [
    { from: 'index.ts', to: `plugins/${path}/index.ts`, imports: { [DOOR]: `${up}lib/plugin.ts` }, generated: true },
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

/**
 * Writes a package for a plugin into `directory`/NAME. Returns the paths of the files, relative to `directory`. Throws
 * CommandError, and writes nothing, where the name is not valid, belongs to a built-in, or the directory exists.
 */
export function writePackage(directory: string, name: string): readonly string[] {
  checkName(name)
  checkTaken(name)
  if (existsSync(join(directory, name))) throw new CommandError(`${name} exists already`)
  return write(directory, name, [
    { from: 'package/package.json', to: `${name}/package.json` },
    { from: 'package/tsconfig.json', to: `${name}/tsconfig.json` },
    { from: 'package/README.md', to: `${name}/README.md` },
    // npm leaves files named .gitignore out of a package, so the template's has another name.
    { from: 'package/gitignore', to: `${name}/.gitignore` },
    { from: 'index.ts', to: `${name}/index.ts`, imports: { [DOOR]: 'sluiceway/plugin' } },
    { from: 'options.json', to: `${name}/options.json` },
    {
      from: 'plugin.test.ts',
      to: `${name}/test/index.test.ts`,
      imports: { [TESTING]: 'sluiceway/testing', [PLUGIN]: '../index.ts' },
      // Built-in plugins are tested by mocha, whose functions are global.
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
  for (const { from, to, imports = {}, head = '', generated = false } of copies) {
    let text = readFileSync(new URL(from, TEMPLATE), 'utf8')
    if (generated) text = text.replace(OPTIONS_TYPE, '').replace(OPTIONS, `${OPTIONS_IMPORT}\n${OPTIONS}`)
    for (const [module, other] of Object.entries(imports)) text = text.replaceAll(`'${module}'`, `'${other}'`)
    mkdirSync(dirname(join(root, to)), { recursive: true })
    writeFileSync(join(root, to), head + text.replaceAll(PLACEHOLDER, name))
  }
  return copies.map(({ to }) => to)
}
