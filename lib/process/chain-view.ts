/** The chain as the operators' pages show it: what `sluiceway explain` prints, with options and documentation. */
import { existsSync, readFileSync } from 'node:fs'
import type { ChainPlugin, ChainView } from '../admin/pages/chain.ts'
import { isObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { applies } from '../core/chain.ts'
import { type PlannedPlugin, planChains } from './boot.ts'
import { placements } from './placements.ts'
import { builtInNames } from './plugin-loader.ts'
import { shownOptions } from './shown-options.ts'

const FOLDER = new URL('../../docs/plugins/', import.meta.url)

/** Plans the chain of this configuration once for as long as it runs. */
export function chainViewer(config: () => Config): () => Promise<ChainView> {
  // A reload makes another one, also where other members alone have changed.
  let of: Config['plugins'] | undefined
  let made: Promise<ChainView> | undefined
  return () => {
    const now = config()
    if (made === undefined || of !== now.plugins) {
      of = now.plugins
      made = chainView(now)
    }
    return made
  }
}

export async function chainView(config: Config): Promise<ChainView> {
  const { shown } = await planChains(config)
  const builtIn = new Set(builtInNames())
  const routes = [...placements()].map(([route, surface]) => ({
    id: `${surface}.${route.name}`,
    title: route.path === '*' ? `anything else (${surface})` : `${route.method} ${route.path} (${surface})`,
    proxied: route.proxied,
    plugins: shown.filter(({ plugin }) => applies(plugin.routes, route, surface)).map(({ plugin }) => plugin.name),
  }))
  return { routes, plugins: new Map(shown.map(planned => [planned.plugin.name, pluginOf(planned, builtIn)])) }
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

/** Without its first heading, which is its name. */
function pageOf(name: string): string | undefined {
  const file = new URL(`${name}.md`, FOLDER)
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/^# .*\n/, '') : undefined
}
