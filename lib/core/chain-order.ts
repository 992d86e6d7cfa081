/** Checks the order of a chain: a plugin that fills a slot must be above those that read it, per route. */

import type { Route, Surface } from '../routes/routes.ts'
import { applies } from './chain.ts'
import type { Plugin } from './plugin.ts'
import { chat, key, pipe, type Slot, target } from './slots.ts'

interface OrderParts {
  /** The whole chain, top to bottom. */
  readonly plugins: readonly Plugin[]
  readonly placements: Iterable<readonly [Route, Surface]>
  /** Name of the built-in plugin that fills a slot on a route; undefined: none does. */
  readonly builtInFor: (slot: Slot, route: Route, surface: Surface) => string | undefined
}

/** One sentence for each problem, with the routes that have it. Empty: the order is valid. */
export function orderProblems({ plugins, placements, builtInFor }: OrderParts): readonly string[] {
  /** Surfaces and routes by problem. */
  const found = new Map<string, string[]>()
  for (const [route, surface] of placements) {
    const here = plugins.filter(plugin => applies(plugin.routes, route, surface))
    const fills = (slot: Slot) => builtInFor(slot, route, surface)
    for (const problem of new Set(problemsOf(here, route, plugins, fills))) {
      const known = found.get(problem)
      const placement = `${surface}.${route.name}`
      if (known === undefined) found.set(problem, [placement])
      else known.push(placement)
    }
  }
  return [...found].map(([problem, [first, ...more]]) =>
    more.length === 0 ? `${first}: ${problem}` : `${first} and ${more.length} more: ${problem}`,
  )
}

/** Name of the built-in plugin that fills a slot on the route being checked. */
type BuiltInFor = (slot: Slot) => string | undefined

function* problemsOf(
  chain: readonly Plugin[],
  route: Route,
  all: readonly Plugin[],
  builtInFor: BuiltInFor,
): Generator<string> {
  // A configuration that predates pipe routes has no plugin for them. They answer 404, so their order does not matter.
  if (route.proxied && !route.canonical && providerOf(pipe, chain) === undefined) return
  // Without a plugin that signs visitors in, the console has no prompt box, and the route is not served.
  if (route.access === 'visitor' && providerOf(key, chain) === undefined) return
  const filledBy = new Map<number, string>()
  for (const plugin of chain) {
    for (const slot of (plugin.needs ?? []) as readonly Slot[]) {
      if (filledBy.has(slot.index)) continue
      const below = providerOf(slot, chain)
      yield below === undefined
        ? missing(plugin, slot, all, builtInFor)
        : `'${plugin.name}' needs slot '${slot.name}'; move it below '${below.name}'.`
    }
    for (const slot of (plugin.wants ?? []) as readonly Slot[]) {
      const above = providerOf(slot, chain)
      if (above !== undefined && above !== plugin && !filledBy.has(slot.index))
        yield `'${plugin.name}' wants slot '${slot.name}'; move it below '${above.name}'.`
    }
    for (const name of plugin.after ?? []) {
      if (chain.indexOf(plugin) < chain.findIndex(one => one.name === name))
        yield `'${plugin.name}' must come after '${name}'; move it below '${name}'.`
    }
    for (const slot of (plugin.provides ?? []) as readonly Slot[]) {
      const other = filledBy.get(slot.index)
      // A duplicate plugin is reported elsewhere.
      if (other !== undefined && other !== plugin.name)
        yield `slot '${slot.name}' is filled by both '${other}' and '${plugin.name}'; remove one.`
      filledBy.set(slot.index, plugin.name)
    }
  }
  if (!route.proxied || !route.canonical) return
  for (const slot of [chat, target] as readonly Slot[]) {
    if (!filledBy.has(slot.index))
      yield `no plugin fills slot '${slot.name}', without which nothing can be sent to a backend; add '${slot === chat ? 'translate' : 'model'}'.`
  }
}

function providerOf(slot: Slot, plugins: readonly Plugin[]): Plugin | undefined {
  return plugins.find(({ provides }) =>
    (provides as readonly Slot[] | undefined)?.some(one => one.index === slot.index),
  )
}

/** The message for a slot that no plugin of the chain fills, with the change that fills it. */
function missing({ name }: Plugin, slot: Slot, all: readonly Plugin[], builtInFor: BuiltInFor): string {
  const builtIn = builtInFor(slot)
  const elsewhere = providerOf(slot, all)
  if (builtIn === undefined && elsewhere !== undefined)
    return `'${name}' needs slot '${slot.name}', which '${elsewhere.name}' fills on other routes only; narrow the routes of '${name}'.`
  const add = builtIn === undefined ? 'add the plugin that does' : `add '${builtIn}', which does`
  return `'${name}' needs slot '${slot.name}', which nothing in this chain provides; ${add}.`
}
