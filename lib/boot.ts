/** From a configuration to one chain for each route: every reason to refuse to start is found here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { applies } from './chain.ts'
import type { Config, PluginEntry } from './config/config.ts'
import type { JsonObject } from './json.ts'
import type { Plugin } from './plugin.ts'
import { PREFLIGHT, ROUTES, type Route, type Surface, UNMATCHED, UNMATCHED_MESSAGES } from './routes.ts'
import { chat, type Slot, target } from './slots.ts'

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

const root = new URL('../', import.meta.url)
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The complete default chain (config/default-chain.yaml). */
export function defaultChain(): readonly PluginEntry[] {
  const text = readFileSync(new URL('config/default-chain.yaml', root), 'utf8')
  const entries = parse(text) as { use: string; enabled?: boolean; options?: JsonObject }[]
  return entries.map(({ use, enabled = true, options = {} }) => ({ use, enabled, options }))
}

/** Names of the plugins that come with the gateway: the folders of plugins/. */
export function builtInNames(): readonly string[] {
  return readdirSync(new URL('plugins/', root), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('_'))
    .map(entry => entry.name)
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
  const ajv = new Ajv2020({ useDefaults: true, allErrors: true, strict: true })
  for (const [i, entry] of entries.entries()) {
    if (!entry.enabled) continue
    const where = `plugins.${i} ('${entry.use}')`
    try {
      const plugin = await load(entry.use, config.baseDir)
      const options = structuredClone(entry.options)
      problems.push(...optionProblems(ajv, plugin, options, where))
      if (plugins.some(one => one.plugin.name === plugin.name))
        problems.push(`${where}: plugin '${plugin.name}' is in the chain twice; remove one.`)
      plugins.push({ plugin, options })
    } catch (thrown) {
      problems.push(`${where}: ${(thrown as Error).message}`)
    }
  }
  for (const [route, surface] of placements()) {
    const here = plugins.map(({ plugin }) => plugin).filter(plugin => applies(plugin.routes, route, surface))
    problems.push(...orderProblems(here, `${surface}.${route.name}`, route))
  }
  const named = new Set(entries.map(({ use }) => use))
  const notes = builtInNames()
    .filter(name => !named.has(name))
    .map(
      name =>
        `The built-in plugin '${name}' is not in your chain: add it, or name it with 'enabled: false' to say that this is meant.`,
    )
  return { plugins, problems: [...new Set(problems)], notes }
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
    if (!existsSync(file)) throw new Error(`there is no file ${file}.`)
    return pathToFileURL(file).href
  }
  const builtIn = new URL(`plugins/${use}/index.${extension}`, root)
  if (/^[a-z0-9-]+$/.test(use) && existsSync(fileURLToPath(builtIn))) return builtIn.href
  try {
    return pathToFileURL(createRequire(join(baseDir, 'config')).resolve(use)).href
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw new Error("its package.json exports nothing under the condition 'default' or 'require'.")
    throw new Error(
      `there is no built-in plugin and no installed package of this name. Built-ins: ${builtInNames().join(', ')}. A file's path starts with './'.`,
    )
  }
}

function optionProblems(ajv: Ajv2020, plugin: Plugin, options: JsonObject, where: string): readonly string[] {
  if (plugin.options === undefined) {
    return Object.keys(options).length === 0 ? [] : [`${where}: takes no options.`]
  }
  const validate = ajv.compile(plugin.options)
  if (validate(options)) return []
  return validate.errors!.map(({ instancePath, message, params }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty
    const path = `options${instancePath.replaceAll('/', '.')}`
    return extra === undefined ? `${where}: ${path} ${message}.` : `${where}: ${path} has no member '${extra}'.`
  })
}

/** The rules of order, in one sentence each: what a plugin reads is filled above it, once. */
function orderProblems(chain: readonly Plugin[], place: string, route: Route): readonly string[] {
  const problems: string[] = []
  const filledBy = new Map<Slot, string>()
  const provider = (slot: Slot) =>
    chain.find(plugin => (plugin.provides as readonly Slot[] | undefined)?.some(one => one.index === slot.index))
  const filled = (slot: Slot) => [...filledBy.keys()].some(one => one.index === slot.index)
  for (const plugin of chain) {
    for (const slot of (plugin.needs ?? []) as readonly Slot[]) {
      if (filled(slot)) continue
      const above = provider(slot)
      problems.push(
        above === undefined
          ? `${place}: '${plugin.name}' needs slot '${slot.name}', which nothing in this chain provides; add the plugin that does.`
          : `${place}: '${plugin.name}' needs slot '${slot.name}'; move it below '${above.name}'.`,
      )
    }
    for (const slot of (plugin.wants ?? []) as readonly Slot[]) {
      const above = provider(slot)
      if (above !== undefined && above !== plugin && !filled(slot)) {
        problems.push(`${place}: '${plugin.name}' wants slot '${slot.name}'; move it below '${above.name}'.`)
      }
    }
    for (const name of plugin.after ?? []) {
      if (chain.indexOf(plugin) < chain.findIndex(one => one.name === name)) {
        problems.push(`${place}: '${plugin.name}' must come after '${name}'; move it below '${name}'.`)
      }
    }
    for (const slot of (plugin.provides ?? []) as readonly Slot[]) {
      const other = [...filledBy].find(([one]) => one.index === slot.index)
      if (other !== undefined)
        problems.push(`${place}: slot '${slot.name}' is filled by both '${other[1]}' and '${plugin.name}'; remove one.`)
      filledBy.set(slot, plugin.name)
    }
  }
  if (route.proxied) {
    for (const slot of [chat, target] as readonly Slot[]) {
      if (!filled(slot))
        problems.push(
          `${place}: no plugin fills slot '${slot.name}', without which nothing can be sent to a backend; add '${slot === chat ? 'translate' : 'model'}'.`,
        )
    }
  }
  return problems
}
