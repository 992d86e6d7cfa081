/** Loads plugins: built-ins, files of the operator, and installed packages. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject } from '../base/json.ts'
import type { Plugin } from '../core/plugin.ts'
import { suggestion } from '../text/nearest.ts'

const FOLDER = new URL('../../plugins/', import.meta.url)
/** The folder of this copy of the package. */
const OWN = dirname(fileURLToPath(new URL('../../package.json', import.meta.url)))
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

let builtInUrls: ReadonlyMap<string, URL> | undefined

/** The built-in plugins by name, in `plugins/<name>/` or `plugins/<family>/<name>/`. The folders are searched once. */
function builtIns(): ReadonlyMap<string, URL> {
  builtInUrls ??= new Map(
    foldersBelow(FOLDER)
      .flatMap(folder => [folder, ...foldersBelow(folder.url)])
      .flatMap(entryOf),
  )
  return builtInUrls
}

interface Folder {
  readonly name: string
  readonly url: URL
}

function foldersBelow(url: URL): readonly Folder[] {
  const entries = readdirSync(url, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('_'))
  return folders.map(({ name }) => ({ name, url: new URL(`${name}/`, url) }))
}

function entryOf({ name, url }: Folder): readonly (readonly [string, URL])[] {
  const entry = new URL(`index.${EXTENSION}`, url)
  return statSync(entry, { throwIfNoEntry: false }) === undefined ? [] : [[name, entry]]
}

/** `use`: as in the configuration. */
export function isBuiltIn(use: string): boolean {
  return builtIns().has(use)
}

export function builtInNames(): readonly string[] {
  return [...builtIns().keys()].toSorted()
}

/** Loads a built-in, a path or a package. Throws an Error with a sentence, or the error that the module throws. */
export async function loadPlugin(use: string, baseDir: string): Promise<Plugin> {
  const url = locate(use, baseDir)
  checkCopy(url)
  const loaded: unknown = await import(url)
  const plugin: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null
  if (isPlugin(plugin)) return plugin
  throw new Error(
    'its module has no plugin as default export; write `export default definePlugin({ name, summary, setup })`.',
  )
}

/** Throws if the plugin imports another copy of the gateway, whose errors would be faults here. */
function checkCopy(plugin: string): void {
  const copy = copyOf(plugin)
  if (copy === undefined || copy === OWN) return
  const modules = dirname(copy)
  const place = basename(modules) === 'node_modules' ? dirname(modules) : dirname(fileURLToPath(plugin))
  throw new Error(
    `it imports another copy of the gateway, in ${copy}. \`npm install ${OWN}\` in ${place} links the one that runs.`,
  )
}

const IMPORTS_GATEWAY = /['"]sluiceway\/\w+['"]/

/** The folder of the package that the plugin's main file imports as `sluiceway`. undefined: it imports none. */
function copyOf(plugin: string): string | undefined {
  try {
    if (!IMPORTS_GATEWAY.test(readFileSync(new URL(plugin), 'utf8'))) return undefined
    return dirname(createRequire(plugin).resolve('sluiceway/package.json'))
  } catch {
    return undefined
  }
}

function isPlugin(value: unknown): value is Plugin {
  return isObject(value) && typeof value.name === 'string' && typeof value.setup === 'function'
}

/** Says why a plugin cannot be found; undefined: it can be. Does not load it. */
export function missingPlugin(use: string, baseDir: string): string | undefined {
  try {
    locate(use, baseDir)
    return undefined
  } catch (thrown) {
    return (thrown as Error).message
  }
}

function locate(use: string, baseDir: string): string {
  if (use.startsWith('.') || isAbsolute(use)) return fileUrl(resolve(baseDir, use))
  const builtIn = builtIns().get(use)
  if (builtIn !== undefined) return builtIn.href
  try {
    return pathToFileURL(createRequire(join(baseDir, 'config')).resolve(use)).href
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw new Error("its package.json exports nothing under the condition 'default' or 'require'.")
    const missing = `there is no built-in plugin and no installed package of this name${suggestion(use, builtInNames()) || '.'}`
    throw new Error(`${missing} config/default-chain.yaml lists the built-ins; a file's path starts with './'.`)
  }
}

function fileUrl(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`there is no file ${file}.`)
  if (stats.isDirectory()) throw new Error(`is a directory: name the file in it, such as ${join(file, 'index.ts')}.`)
  return pathToFileURL(file).href
}
