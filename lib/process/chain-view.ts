/** The chain of a configuration: as text of `sluiceway explain`, and with options and docs for operators' pages. */
import { existsSync, readFileSync } from 'node:fs'
import type { ChainPlugin, ChainView } from '../admin/pages/chain.ts'
import { isObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { INTERNAL_SURFACES, type InternalSurface, type Surface } from '../config/surface.ts'
import { applies } from '../core/chain.ts'
import type { Slot } from '../core/slots.ts'
import { type PlannedPlugin, planChains, routeSurfaces } from './boot.ts'
import { builtInNames } from './plugin-loader.ts'
import { shownOptions } from './shown-options.ts'

const MARKS: Readonly<Record<PlannedPlugin['change'], string>> = { none: ' ', off: '-', options: '~', added: '+' }

const LEGEND = [
  'Changes to the default chain are marked: + added, - switched off, ~ with options of this configuration.',
  '',
]

/** The output of `sluiceway explain`: the plugins of each route, with marks for changes to the default chain. */
export function chainText(chain: readonly PlannedPlugin[]): string {
  const lines: string[] = chain.some(({ change }) => change !== 'none') ? [...LEGEND] : []
  for (const [route, surface] of routeSurfaces()) {
    const own = chain.filter(({ plugin }) => applies(plugin.routes, route, surface))
    const title =
      route.path === '*'
        ? `anything else (${surface}.${route.name})`
        : `${route.method} ${route.path} (${surface}.${route.name})`
    lines.push(title, ...own.map(lineOf), '')
  }
  return [...lines, ...internalNotes(chain), ''].join('\n')
}

const SENDERS: Readonly<Record<InternalSurface, string>> = {
  batch: 'Lines of batches',
  internal: 'Requests of the gateway itself, such as questions of the guard to a model,',
}

/** How the chains of requests that no client sends differ from those of the surface `gateway`. */
function internalNotes(chain: readonly PlannedPlugin[]): readonly string[] {
  const routes = [...routeSurfaces()].flatMap(([route, surface]) =>
    surface === 'gateway' && route.proxied && !route.form ? [route] : [],
  )
  const runs = chain.filter(({ change }) => change !== 'off').map(({ plugin }) => plugin)
  const onlyOn = (surface: Surface, other: Surface) =>
    runs
      .filter(({ routes: filter }) =>
        routes.some(route => applies(filter, route, surface) && !applies(filter, route, other)),
      )
      .map(({ name }) => name)
      .join(', ')
  return INTERNAL_SURFACES.toReversed().map(surface => {
    const [missing, added] = [onlyOn('gateway', surface), onlyOn(surface, 'gateway')]
    const without = missing === '' ? '' : `, without: ${missing}`
    const only = added === '' ? '' : `; with: ${added}`
    return `${SENDERS[surface]} run through the chain of their route (gateway)${without}${only}`
  })
}

function lineOf({ plugin: { name, summary, provides = [] }, change }: PlannedPlugin): string {
  const slots = provides.map((slot: Slot) => slot.name)
  const fills = slots.length > 0 ? `  -> ${slots.join(', ')}` : ''
  return `${MARKS[change]} ${name.padEnd(18)} ${summary}${fills}`.trimEnd()
}

const FOLDER = new URL('../../docs/plugins/', import.meta.url)

/** Returns a function that plans the chain of the current configuration, and caches the result until a reload. */
export function chainViewer(config: () => Config): () => Promise<ChainView> {
  let cached: { readonly plugins: Config['plugins']; readonly view: Promise<ChainView> } | undefined
  return () => {
    const now = config()
    // Every reload creates this object anew.
    if (cached?.plugins !== now.plugins) cached = { plugins: now.plugins, view: chainView(now) }
    return cached.view
  }
}

async function chainView(config: Config): Promise<ChainView> {
  const { shown } = await planChains(config)
  const builtIn = new Set(builtInNames())
  const routes = [...routeSurfaces()].map(([route, surface]) => ({
    id: `${surface}.${route.name}`,
    title: route.path === '*' ? `anything else (${surface})` : `${route.method} ${route.path} (${surface})`,
    proxied: route.proxied,
    plugins: shown.filter(({ plugin }) => applies(plugin.routes, route, surface)).map(({ plugin }) => plugin.name),
  }))
  return {
    routes,
    notes: internalNotes(shown),
    plugins: new Map(shown.map(planned => [planned.plugin.name, pluginOf(planned, builtIn)])),
  }
}

function pluginOf({ plugin, options, change }: PlannedPlugin, builtIn: ReadonlySet<string>): ChainPlugin {
  const { name, summary, provides = [] } = plugin
  const schema: unknown = plugin.options
  const members = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  const described = Object.entries(members).map(([option, one]) => {
    return [option, isObject(one) && typeof one.description === 'string' ? one.description : '']
  })
  return {
    name,
    summary,
    change,
    fills: provides.map(slot => slot.name),
    options: shownOptions(options, schema),
    described: Object.fromEntries(described),
    page: builtIn.has(name) ? pageOf(name) : undefined,
  }
}

/** The documentation of a built-in plugin, without its first heading, which is the name. */
function pageOf(name: string): string | undefined {
  const file = new URL(`${name}.md`, FOLDER)
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/^# .*\n/, '') : undefined
}
