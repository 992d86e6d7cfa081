import { applies } from '../core/chain.ts'
import type { Plugin } from '../core/plugin.ts'
import type { Slot } from '../core/slots.ts'
import { type Planned, placements } from './boot.ts'

/** Text of the chain that each route runs, in order: what `sluiceway explain` prints. */
export function explain(plugins: readonly Planned[]): string {
  const lines: string[] = []
  for (const [route, surface] of placements()) {
    const here = plugins.map(({ plugin }) => plugin).filter(plugin => applies(plugin.routes, route, surface))
    const title =
      route.path === '*'
        ? `anything else (${surface}.${route.name})`
        : `${route.method} ${route.path} (${surface}.${route.name})`
    lines.push(title, ...here.map(line), '')
  }
  return lines.join('\n')
}

function line(plugin: Plugin): string {
  const provides = ((plugin.provides ?? []) as readonly Slot[]).map(slot => slot.name)
  const fills = provides.length > 0 ? `  -> ${provides.join(', ')}` : ''
  return `  ${plugin.name.padEnd(18)} ${plugin.summary}${fills}`
}
