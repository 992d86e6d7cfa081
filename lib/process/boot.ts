/** Plans the chain of a configuration: loads its plugins, and finds every problem in the chain that prevents a start. */
import type { JsonObject } from '../base/json.ts'
import type { ChainConfig, PluginEntry } from '../config/chain.ts'
import type { Config } from '../config/config.ts'
import { offByDefault } from '../config/default-chain.ts'
import { pluginLine } from '../config/lines.ts'
import { applies } from '../core/chain.ts'
import { orderProblems } from '../core/chain-order.ts'
import type { Plugin } from '../core/plugin.ts'
import type { Slot } from '../core/slots.ts'
import { type OptionsCheck, optionsCheck } from '../schemas/options.ts'
import type { Violation } from '../schemas/wording.ts'
import { placements } from './placements.ts'
import { declarationProblems } from './plugin-checks.ts'
import { builtInNames, isBuiltIn, loadPlugin } from './plugin-loader.ts'

/** A plugin with the options it will be set up with. */
export interface ConfiguredPlugin {
  readonly plugin: Plugin
  readonly options: JsonObject
  /** `line 12: `, where its entry stands in the file; '' where it is in none. */
  readonly at?: string
}

export interface PlannedPlugin extends ConfiguredPlugin {
  readonly change: PluginEntry['change']
}

export interface Plan {
  /** The plugins that run, top to bottom. */
  readonly plugins: readonly PlannedPlugin[]
  /** The same, and those of the default chain that the configuration switches off. */
  readonly shown: readonly PlannedPlugin[]
  /** Sentences; the gateway starts only when there are none. */
  readonly problems: readonly string[]
  /** Sentences for the log. */
  readonly notes: readonly string[]
}

/** Loads the plugins of the chain, checks their options, and checks the order on every route. */
export async function planChains({ plugins: chain, baseDir }: Config): Promise<Plan> {
  const shown: PlannedPlugin[] = []
  const problems: string[] = []
  const names = new Set<string>()
  const checkOptions = optionsCheck()
  for (const entry of chain.entries) {
    if (!entry.enabled && entry.change !== 'off') continue
    const at = (path: string) => lineText(chain, path)
    const where = `${at(entry.path)}${entry.path} ('${entry.use}')`
    try {
      const plugin = await loadPlugin(entry.use, baseDir)
      const options = structuredClone(entry.options)
      shown.push({ plugin, options, change: entry.change, at: at(entry.path) })
      if (entry.change === 'off') continue
      problems.push(...declarationProblems(plugin).map(problem => `${where}: ${problem}`))
      // Tests check the schemas of built-ins.
      const check: OptionsCheck = (schema, value) => checkOptions(schema, value, isBuiltIn(entry.use))
      for (const { path, message } of optionProblems(plugin, options, check))
        problems.push(`${at(placeOf(entry, path))}${entry.path} ('${entry.use}'): ${message}`)
      if (names.has(plugin.name)) problems.push(`${where}: plugin '${plugin.name}' is in the chain twice; remove one.`)
      names.add(plugin.name)
    } catch (thrown) {
      problems.push(`${where}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  }
  const plugins = shown.filter(({ change }) => change !== 'off')
  problems.push(...(await chainProblems(plugins.map(({ plugin }) => plugin))))
  return { plugins, shown, problems, notes: notes(chain) }
}

/** Completes the options with their defaults. `path`: of the option. */
function optionProblems({ options: schema }: Plugin, options: JsonObject, check: OptionsCheck): readonly Violation[] {
  if (schema === undefined) return Object.keys(options).length === 0 ? [] : [{ path: '', message: 'takes no options.' }]
  return check(schema, options).map(({ path, message }) => {
    const member = path === '' ? 'options' : `options.${path}`
    return { path, message: `${member}: ${message}${message.endsWith('?') ? '' : '.'}` }
  })
}

/** The place of an option in the file. */
function placeOf({ path }: PluginEntry, option: string): string {
  // There the entry is its options.
  return path.startsWith('plugins.options.') ? `${path}.${option}` : `${path}.options.${option}`
}

/** `line 12: `; '' where it is not known. */
function lineText(chain: ChainConfig, path: string): string {
  const line = pluginLine(chain, path)
  return line === undefined ? '' : `line ${line}: `
}

async function chainProblems(plugins: readonly Plugin[]): Promise<readonly string[]> {
  const parts = { plugins, placements: [...placements()] }
  if (orderProblems({ ...parts, builtInFor: () => undefined }).length === 0) return []
  // Loaded only for a message: which built-in fills a slot on a route where none of these plugins does.
  const builtIns = await Promise.all(builtInNames().map(name => loadPlugin(name, '')))
  return orderProblems({
    ...parts,
    builtInFor: ({ index }, route, surface) =>
      builtIns.find(one => slotsFilled(one).includes(index) && applies(one.routes, route, surface))?.name,
  })
}

function slotsFilled({ provides = [] }: Plugin): readonly number[] {
  return provides.map(({ index }: Slot) => index)
}

/** A list is the whole chain, so that built-ins of a later version do not run with it unless it is changed. */
function notes({ origin, entries }: ChainConfig): readonly string[] {
  if (origin !== 'list') return []
  const named = new Set([...entries.map(({ use }) => use), ...offByDefault()])
  const missing = builtInNames().filter(name => !named.has(name))
  return missing.map(
    name =>
      `The built-in plugin '${name}' is not in your chain: add it, or name it with 'enabled: false' to say that this is meant.`,
  )
}
