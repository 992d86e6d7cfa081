/** From a configuration to one chain for each route: every reason to refuse to start is found here. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { isObject, type JsonObject } from '../base/json.ts'
import { nearest, suggestion } from '../base/nearest.ts'
import type { Config, PluginEntry } from '../config/config.ts'
import { orderProblems } from '../core/chain-order.ts'
import type { Plugin, RouteFilter } from '../core/plugin.ts'
import type { Slot } from '../core/slots.ts'
import { PREFLIGHT, ROUTES, type Route, type Surface, UNMATCHED, UNMATCHED_MESSAGES } from '../routes/routes.ts'

/** A plugin with the options it will be set up with. */
export interface Planned {
  readonly plugin: Plugin
  readonly options: JsonObject
}

export interface Plan {
  readonly plugins: readonly Planned[]
  /** Sentences; the gateway starts only when there are none. */
  readonly problems: readonly string[]
  /** Sentences that are worth a line in the log. */
  readonly notes: readonly string[]
}

const root = new URL('../../', import.meta.url)
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The complete default chain (config/default-chain.yaml). */
export function defaultChain(): readonly PluginEntry[] {
  const text = readFileSync(new URL('config/default-chain.yaml', root), 'utf8')
  const entries = parse(text) as { use: string; enabled?: boolean; options?: JsonObject }[]
  return entries.map(({ use, enabled = true, options = {} }) => ({ use, enabled, options }))
}

/** The plugins that come with the gateway, by name: `plugins/<name>/` or `plugins/<family>/<name>/`. */
function builtIns(): ReadonlyMap<string, URL> {
  const folder = new URL('plugins/', root)
  const files = globSync(`{*,*/*}/index.${extension}`, { cwd: fileURLToPath(folder) }).toSorted()
  const named = files.map(file => [basename(dirname(file)), new URL(file.replaceAll('\\', '/'), folder)] as const)
  return new Map(named.filter(([name]) => !name.startsWith('_')))
}

/** Names of the plugins that come with the gateway. */
export function builtInNames(): readonly string[] {
  return [...builtIns().keys()].toSorted()
}

/** Every row of the route table on each of its surfaces, and what answers requests that no row names. */
export function* placements(): Generator<readonly [Route, Surface]> {
  for (const route of [...ROUTES, PREFLIGHT, UNMATCHED, UNMATCHED_MESSAGES] as readonly Route[]) {
    for (const surface of route.surfaces) yield [route, surface]
  }
}

/** Loads the plugins of the chain, validates their options and checks the order on every route. */
export async function planChains(config: Config): Promise<Plan> {
  const entries = config.plugins ?? defaultChain()
  const problems: string[] = []
  const plugins: Planned[] = []
  const ajv = new Ajv2020({ useDefaults: true, allErrors: true, strict: true, verbose: true })
  for (const [i, entry] of entries.entries()) {
    if (!entry.enabled) continue
    const where = `plugins.${i} ('${entry.use}')`
    try {
      const plugin = await load(entry.use, config.baseDir)
      const options = structuredClone(entry.options)
      problems.push(...shapeProblems(plugin, where))
      problems.push(...optionProblems(ajv, plugin, options, where))
      if (plugins.some(one => one.plugin.name === plugin.name))
        problems.push(`${where}: plugin '${plugin.name}' is in the chain twice; remove one.`)
      plugins.push({ plugin, options })
    } catch (thrown) {
      problems.push(`${where}: ${(thrown as Error).message}`)
    }
  }
  problems.push(...(await chainProblems(plugins.map(({ plugin }) => plugin))))
  const named = new Set(entries.map(({ use }) => use))
  const notes = builtInNames()
    .filter(name => !named.has(name))
    .map(
      name =>
        `The built-in plugin '${name}' is not in your chain: add it, or name it with 'enabled: false' to say that this is meant.`,
    )
  return { plugins, problems, notes }
}

async function load(use: string, baseDir: string): Promise<Plugin> {
  const loaded = (await import(locate(use, baseDir))) as { default?: unknown }
  const plugin = loaded.default
  if (
    typeof plugin !== 'object' ||
    plugin === null ||
    typeof (plugin as Plugin).name !== 'string' ||
    typeof (plugin as Plugin).setup !== 'function'
  ) {
    throw new Error(
      'its module has no plugin as default export; write `export default definePlugin({ name, summary, setup })`.',
    )
  }
  return plugin as Plugin
}

/** A built-in's name, a path relative to the config file, or a package that is installed beside it. */
function locate(use: string, baseDir: string): string {
  if (use.startsWith('.') || isAbsolute(use)) {
    const file = resolve(baseDir, use)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) throw new Error(`there is no file ${file}.`)
    if (found.isDirectory()) throw new Error(`is a directory: name the file in it, such as ${join(file, 'index.ts')}.`)
    return pathToFileURL(file).href
  }
  const builtIn = builtIns().get(use)
  if (builtIn !== undefined) return builtIn.href
  try {
    return pathToFileURL(createRequire(join(baseDir, 'config')).resolve(use)).href
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw new Error("its package.json exports nothing under the condition 'default' or 'require'.")
    throw new Error(
      `${sentence(`there is no built-in plugin and no installed package of this name${suggestion(use, builtInNames())}`)} Built-ins: ${builtInNames().join(', ')}. A file's path starts with './'.`,
    )
  }
}

function optionProblems(ajv: Ajv2020, plugin: Plugin, options: JsonObject, where: string): readonly string[] {
  if (plugin.options === undefined) {
    return Object.keys(options).length === 0 ? [] : [`${where}: takes no options.`]
  }
  const validate = ajv.compile(plugin.options)
  if (validate(options)) return []
  return validate.errors!.map(({ instancePath, message, params, parentSchema }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty
    const path = `options${instancePath.replaceAll('/', '.')}`
    if (extra === undefined) return `${where}: ${path} ${message}.`
    const known = isObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : []
    return sentence(`${where}: ${path} has no member '${extra}'${suggestion(extra, known)}`)
  })
}

async function chainProblems(plugins: readonly Plugin[]): Promise<readonly string[]> {
  const provided = new Set(plugins.flatMap(slotsFilled))
  const needed = plugins.flatMap(plugin => (plugin.needs ?? []) as readonly Slot[])
  // Only who has left something out waits for the other plugins to be loaded.
  const builtIns = needed.every(({ index }) => provided.has(index)) ? [] : await loadBuiltIns()
  const builtInFor = ({ index }: Slot) => builtIns.find(plugin => slotsFilled(plugin).includes(index))?.name
  return orderProblems({ plugins, placements: [...placements()], builtInFor })
}

function slotsFilled({ provides = [] }: Plugin): readonly number[] {
  return (provides as readonly Slot[]).map(({ index }) => index)
}

function loadBuiltIns(): Promise<readonly Plugin[]> {
  return Promise.all(builtInNames().map(name => load(name, '')))
}

const MEMBERS = [
  'name',
  'summary',
  'routes',
  'options',
  'needs',
  'provides',
  'wants',
  'reads',
  'after',
  'setup',
] as const

/** What the compiler tells those who use it: a misspelt member would be overlooked, and with it what it says. */
function shapeProblems(plugin: Plugin, where: string): readonly string[] {
  const problems: string[] = []
  for (const name of Object.keys(plugin)) {
    const meant = MEMBERS.some(one => one === name) ? undefined : nearest(name, MEMBERS)
    if (meant !== undefined) problems.push(`${where}: the plugin has a member '${name}': did you mean '${meant}'?`)
  }
  for (const [name, wanted] of Object.entries(plugin.routes ?? {})) {
    const known = routeValues(name)
    if (known === undefined) {
      problems.push(sentence(`${where}: its routes have no column '${name}'${suggestion(name, COLUMNS)}`))
      continue
    }
    for (const value of [wanted].flat() as readonly unknown[]) {
      if (known.has(value)) continue
      const meant = suggestion(String(value), [...known].map(String))
      problems.push(sentence(`${where}: there is no ${name} '${value}'${meant}`))
    }
  }
  return problems
}

const COLUMNS = [
  'surface',
  'format',
  'route',
  'proxied',
  'canonical',
  'access',
] as const satisfies readonly (keyof RouteFilter)[]

/** What stands in a column of the route table; undefined: there is no such column. */
function routeValues(column: string): ReadonlySet<unknown> | undefined {
  if (!COLUMNS.some(one => one === column)) return undefined
  const values = new Set<unknown>()
  for (const [route, surface] of placements()) {
    const row: Readonly<Record<keyof RouteFilter, unknown>> = { ...route, surface, route: route.name }
    values.add(row[column as keyof RouteFilter])
  }
  return values
}

/** A suggestion ends a sentence by itself. */
function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}
