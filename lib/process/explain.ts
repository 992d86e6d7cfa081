import { applies } from '../core/chain.ts'
import type { Slot } from '../core/slots.ts'
import type { PlannedPlugin } from './boot.ts'
import { placements } from './placements.ts'

/** The mark before a plugin. */
const MARKS: Readonly<Record<PlannedPlugin['change'], string>> = { none: ' ', off: '-', options: '~', added: '+' }

const LEGEND = [
  'Changes to the default chain are marked: + added, - switched off, ~ with options of this configuration.',
  '',
]

/** The output of `sluiceway explain`: the chain of each route in order, with its changes to the default chain. */
export function explain(chain: readonly PlannedPlugin[]): string {
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

function line({ plugin: { name, summary, provides = [] }, change }: PlannedPlugin): string {
  const slots = provides.map((slot: Slot) => slot.name)
  const fills = slots.length > 0 ? `  -> ${slots.join(', ')}` : ''
  return `${MARKS[change]} ${name.padEnd(18)} ${summary}${fills}`.trimEnd()
}
