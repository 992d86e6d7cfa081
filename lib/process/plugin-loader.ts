/** Loads plugins: from this repository, from a file of the operator, or from an installed package. */
import { globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject } from '../base/json.ts'
import { suggestion } from '../base/nearest.ts'
import type { Plugin } from '../core/plugin.ts'

const FOLDER = new URL('../../plugins/', import.meta.url)
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The plugins that ship with the gateway, by name: `plugins/<name>/` or `plugins/<family>/<name>/`. */
function builtIns(): ReadonlyMap<string, URL> {
  const files = globSync(`{*,*/*}/index.${EXTENSION}`, { cwd: fileURLToPath(FOLDER) }).toSorted()
  const named = files.map(file => [basename(dirname(file)), new URL(file.replaceAll('\\', '/'), FOLDER)] as const)
  return new Map(named.filter(([name]) => !name.startsWith('_')))
}

/** Names of the plugins that ship with the gateway. */
export function builtInNames(): readonly string[] {
  return [...builtIns().keys()].toSorted()
}

/**
 * Loads a plugin by a built-in's name, a path or a package; the last two are looked up from `baseDir`. Throws an Error with a
 * sentence when there is none, and what the module throws while it is loaded.
 */
export async function loadPlugin(use: string, baseDir: string): Promise<Plugin> {
  const loaded: unknown = await import(locate(use, baseDir))
  const plugin: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null
  if (isPlugin(plugin)) return plugin
  throw new Error(
    'its module has no plugin as default export; write `export default definePlugin({ name, summary, setup })`.',
  )
}

function isPlugin(value: unknown): value is Plugin {
  return isObject(value) && typeof value.name === 'string' && typeof value.setup === 'function'
}

/** A sentence where there is no such plugin; undefined where there is one. It is not loaded. */
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
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`there is no file ${file}.`)
  if (found.isDirectory()) throw new Error(`is a directory: name the file in it, such as ${join(file, 'index.ts')}.`)
  return pathToFileURL(file).href
}
