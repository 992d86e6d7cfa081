/** Plans the chain of a configuration: loads its plugins, and finds every problem that prevents a start. */
import type { JsonObject } from '../base/json.ts'
import type { ChainConfig, PluginEntry } from '../config/chain.ts'
import type { Config } from '../config/config.ts'
import { offByDefault } from '../config/default-chain.ts'
import { pluginLine } from '../config/lines.ts'
import { INTERNAL_SURFACES } from '../config/surface.ts'
import { applies } from '../core/chain.ts'
import { orderProblems } from '../core/chain-order.ts'
import type { Plugin, RouteFilter } from '../core/plugin.ts'
import type { Slot } from '../core/slots.ts'
import { ERRORS } from '../errors/errors.ts'
import {
  CONSOLE_MISSING,
  PREFLIGHT,
  ROUTES,
  type Route,
  type Surface,
  UNMATCHED,
  UNMATCHED_MESSAGES,
} from '../routes/routes.ts'
import { type OptionsCheck, optionsCheck } from '../schemas/options.ts'
import type { Violation } from '../schemas/wording.ts'
import { nearest, suggestion } from '../text/nearest.ts'
import { builtInNames, isBuiltIn, loadPlugin } from './plugin-loader.ts'

/** Each row of the route table with each of its surfaces, including the rows for requests that match no route. */
export function* routeSurfaces(): Generator<readonly [Route, Surface]> {
  const rows: readonly Route[] = [...ROUTES, CONSOLE_MISSING, PREFLIGHT, UNMATCHED, UNMATCHED_MESSAGES]
  for (const route of rows) {
    for (const surface of route.surfaces) yield [route, surface]
  }
}

/** A plugin with the options for its setup(). */
export interface ConfiguredPlugin {
  readonly plugin: Plugin
  readonly options: JsonObject
  /** The line of its entry in the file: `line 12: `; '': no file contains it. */
  readonly at?: string
}

export interface PlannedPlugin extends ConfiguredPlugin {
  readonly change: PluginEntry['change']
}

export interface Plan {
  /** The plugins that run, top to bottom. */
  readonly plugins: readonly PlannedPlugin[]
  /** The plugins that run, and those of the default chain that the configuration switches off. */
  readonly shown: readonly PlannedPlugin[]
  /** Sentences; the gateway starts only if the list is empty. */
  readonly problems: readonly string[]
  /** Sentences for the log. */
  readonly notes: readonly string[]
}

/** Why a configuration cannot run: one sentence for each problem. */
export class BootError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Plans a chain that can run. Throws BootError with every problem. */
export async function runnablePlan(config: Config): Promise<Plan> {
  const plan = await planChains(config)
  if (plan.problems.length > 0) throw new BootError(plan.problems)
  return plan
}

/** Loads the plugins of the chain, checks their options, and checks their order on every route. */
export async function planChains({ plugins: chain, baseDir }: Config): Promise<Plan> {
  const shown: PlannedPlugin[] = []
  const problems: string[] = []
  const names = new Set<string>()
  const codes = new Map<string, string>()
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
      // The schemas of built-ins are not checked here, because tests check them.
      const check: OptionsCheck = (schema, value) => checkOptions(schema, value, isBuiltIn(entry.use))
      for (const { path, message } of optionProblems(plugin, options, check))
        problems.push(`${at(pathOf(entry, path))}${entry.path} ('${entry.use}'): ${message}`)
      if (names.has(plugin.name)) problems.push(`${where}: plugin '${plugin.name}' is in the chain twice; remove one.`)
      names.add(plugin.name)
      problems.push(...errorProblems(plugin, codes).map(problem => `${where}: ${problem}`))
    } catch (thrown) {
      problems.push(`${where}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  }
  const plugins = shown.filter(({ change }) => change !== 'off')
  problems.push(...(await chainProblems(plugins.map(({ plugin }) => plugin))))
  return { plugins, shown, problems, notes: notes(chain) }
}

/** Checks the options, and adds their defaults. The `path` of each problem is that of the option. */
function optionProblems({ options: schema }: Plugin, options: JsonObject, check: OptionsCheck): readonly Violation[] {
  if (schema === undefined) return Object.keys(options).length === 0 ? [] : [{ path: '', message: 'takes no options.' }]
  return check(schema, options).map(({ path, message }) => {
    const member = path === '' ? 'options' : `options.${path}`
    return { path, message: `${member}: ${message}${message.endsWith('?') ? '' : '.'}` }
  })
}

function pathOf({ path }: PluginEntry, option: string): string {
  // `plugins.options.NAME` is an object of options; elsewhere an entry has the member `options`.
  return path.startsWith('plugins.options.') ? `${path}.${option}` : `${path}.options.${option}`
}

/** `line 12: `; '': the line is unknown. */
function lineText(chain: ChainConfig, path: string): string {
  const line = pluginLine(chain, path)
  return line === undefined ? '' : `line ${line}: `
}

async function chainProblems(plugins: readonly Plugin[]): Promise<readonly string[]> {
  const input = { plugins, placements: [...routeSurfaces()] }
  if (orderProblems({ ...input, builtInFor: () => undefined }).length === 0) return []
  // The other built-ins are loaded only for the messages, which name a built-in that fills a missing slot.
  const builtIns = await Promise.all(builtInNames().map(name => loadPlugin(name, '')))
  return orderProblems({
    ...input,
    builtInFor: ({ index }, route, surface) =>
      builtIns.find(one => slotsFilled(one).includes(index) && applies(one.routes, route, surface))?.name,
  })
}

function slotsFilled({ provides = [] }: Plugin): readonly number[] {
  return provides.map(({ index }: Slot) => index)
}

/** Names built-ins that a listed chain lacks: a list is the whole chain, so it excludes built-ins of later versions. */
function notes({ origin, entries }: ChainConfig): readonly string[] {
  if (origin !== 'list') return []
  const named = new Set([...entries.map(({ use }) => use), ...offByDefault()])
  const missing = builtInNames().filter(name => !named.has(name))
  return missing.map(
    name =>
      `The built-in plugin '${name}' is not in your chain: add it, or name it with 'enabled: false' to say that this is meant.`,
  )
}

const MEMBERS: readonly string[] = [
  'name',
  'summary',
  'routes',
  'options',
  'needs',
  'provides',
  'wants',
  'reads',
  'after',
  'errors',
  'setup',
] satisfies (keyof Plugin)[]

/** Checks members and route filter of a plugin without types: a misspelt member would silently have no effect. */
function declarationProblems(plugin: Plugin): readonly string[] {
  const problems: string[] = []
  for (const name of Object.keys(plugin)) {
    const meant = MEMBERS.includes(name) ? undefined : nearest(name, MEMBERS)
    if (meant !== undefined) problems.push(`the plugin has a member '${name}': did you mean '${meant}'?`)
  }
  for (const [column, wanted] of Object.entries(plugin.routes ?? {})) {
    const known = routeValues(column)
    if (known === undefined) {
      problems.push(`its routes have no column '${column}'${suggestion(column, COLUMNS) || '.'}`)
      continue
    }
    const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    for (const value of values) {
      if (!known.has(value))
        problems.push(`there is no ${column} '${value}'${suggestion(String(value), [...known].map(String)) || '.'}`)
    }
  }
  return problems
}

const ERROR_TYPES: ReadonlySet<string> = new Set(Object.values(ERRORS).map(([, type]) => type))

/** Checks the error codes of a plugin, and adds them to `taken`: the plugin by code. */
function errorProblems({ name, errors }: Plugin, taken: Map<string, string>): readonly string[] {
  const problems: string[] = []
  for (const [code, [status, type, message]] of Object.entries(errors?.table ?? {})) {
    const owner = Object.hasOwn(ERRORS, code) ? 'the gateway' : taken.get(code)
    if (!/^[a-z][a-z0-9_]{2,63}$/.test(code))
      problems.push(`error code '${code}' is not 3 to 64 of a-z, 0-9 and underscore, from a letter on.`)
    else if (owner !== undefined && owner !== name) problems.push(`error code '${code}' is one of ${owner}; rename it.`)
    if (!Number.isInteger(status) || status < 400 || status > 599)
      problems.push(`error code '${code}': its status is not from 400 to 599.`)
    if (!ERROR_TYPES.has(type)) problems.push(`error code '${code}': there is no type '${type}'.`)
    if (typeof message !== 'string' || message === '') problems.push(`error code '${code}' has no message.`)
    taken.set(code, name)
  }
  return problems
}

const COLUMNS: readonly string[] = [
  'surface',
  'format',
  'route',
  'proxied',
  'canonical',
  'access',
] satisfies (keyof RouteFilter)[]

/** The values in each column of the route table, once they have been read. */
let valuesOf: ReadonlyMap<string, ReadonlySet<unknown>> | undefined

/** The values in a column of the route table; undefined: the table has no such column. */
function routeValues(column: string): ReadonlySet<unknown> | undefined {
  valuesOf ??= readColumns()
  return valuesOf.get(column)
}

function readColumns(): ReadonlyMap<string, ReadonlySet<unknown>> {
  const rows = Array.from(routeSurfaces(), ([route, surface]): Readonly<Record<string, unknown>> => {
    return { ...route, surface, route: route.name }
  })
  const columns = COLUMNS.map(column => [column, new Set(rows.map(row => row[column]))] as const)
  for (const surface of INTERNAL_SURFACES) columns.find(([column]) => column === 'surface')![1].add(surface)
  return new Map(columns)
}
