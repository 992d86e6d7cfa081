import { applies } from '../core/chain.ts'
import type { Slot } from '../core/slots.ts'
import type { Planned } from './boot.ts'
import { placements } from './placements.ts'

/** What stands before a plugin. */
const MARKS: Readonly<Record<Planned['change'], string>> = { none: ' ', off: '-', options: '~', added: '+' }

const LEGEND = [
  'Changes to the default chain are marked: + added, - switched off, ~ with options of this configuration.',
  '',
]

/** Text of the chain that each route runs, in order, with what differs from the default chain: what `sluiceway explain` prints. */
export function explain(chain: readonly Planned[]): string {
  const lines: string[] = chain.some(({ change }) => change !== 'none') ? [...LEGEND] : []
  for (const [route, surface] of placements()) {
    const here = chain.filter(({ plugin }) => applies(plugin.routes, route, surface))
    const title =
      route.path === '*'
        ? `anything else (${surface}.${route.name})`
        : `${route.method} ${route.path} (${surface}.${route.name})`
    lines.push(title, ...here.map(line), '')
  }
  return lines.join('\n')
}

function line({ plugin: { name, summary, provides = [] }, change }: Planned): string {
  const slots = provides.map((slot: Slot) => slot.name)
  const fills = slots.length > 0 ? `  -> ${slots.join(', ')}` : ''
  return `${MARKS[change]} ${name.padEnd(18)} ${summary}${fills}`.trimEnd()
}
