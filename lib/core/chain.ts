import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Format } from '../canonical/format.ts'
import type { Transformer } from '../canonical/transformer.ts'
import type { Route, Surface } from '../routes/routes.ts'
import { type Exchange, PART } from './exchange.ts'
import type { FinishPhase, Hooks, Plugin, RouteFilter, SendPhase, StreamPhase } from './plugin.ts'

/** A request hook of one plugin. */
export interface Step {
  readonly plugin: string
  readonly call: (exchange: Exchange) => void | Promise<void>
}

/** What runs on one route of one surface: five lists, fixed at boot. */
export interface Chain {
  readonly format: Format
  /** Top to bottom. */
  readonly headers: readonly Step[]
  readonly body: readonly Step[]
  /** Bottom to top. */
  readonly response: readonly ((exchange: SendPhase) => void)[]
  readonly transform: readonly ((exchange: StreamPhase) => Transformer | undefined)[]
  readonly finish: readonly ((exchange: FinishPhase) => void)[]
  /** Whose the hooks of these last three lists are: asked when one has thrown. */
  readonly owners: ReadonlyMap<unknown, string>
}

/** A plugin after setup. */
export interface Ready {
  readonly plugin: Plugin
  readonly hooks: Hooks
}

/** True when a plugin's filter lets this route of this surface through. */
export function applies(filter: RouteFilter | undefined, route: Route, surface: Surface): boolean {
  if (filter === undefined) return true
  return (
    (filter.surface === undefined || filter.surface.includes(surface)) &&
    (filter.format === undefined || filter.format.includes(route.format)) &&
    (filter.route === undefined || filter.route.includes(route.name)) &&
    (filter.proxied === undefined || filter.proxied === route.proxied) &&
    (filter.canonical === undefined || filter.canonical === route.canonical) &&
    (filter.access === undefined || filter.access === route.access)
  )
}

/** Five flat lists out of the plugins that apply to this route, so that no request ever evaluates a filter. */
export function compile(all: readonly Ready[], route: Route, surface: Surface, format: Format): Chain {
  const down = all.filter(({ plugin }) => applies(plugin.routes, route, surface))
  const up = down.toReversed()
  const owners = new Map<unknown, string>()
  const owned = <H extends object>(hook: H | undefined, { name }: Plugin): readonly H[] => {
    if (hook === undefined) return []
    owners.set(hook, name)
    return [hook]
  }
  return {
    format,
    headers: down.flatMap(ready => step(ready, 'onHeaders')),
    body: down.flatMap(ready => step(ready, 'onBody')),
    response: up.flatMap(({ hooks, plugin }) => owned(hooks.onSend?.bind(hooks), plugin)),
    transform: up.flatMap(({ hooks, plugin }) => owned(hooks.transform?.bind(hooks), plugin)),
    finish: up.flatMap(({ hooks, plugin }) => owned(hooks.onFinish?.bind(hooks), plugin)),
    owners,
  }
}

function step({ plugin, hooks }: Ready, hook: 'onHeaders' | 'onBody'): readonly Step[] {
  const call = hooks[hook]?.bind(hooks)
  return call === undefined ? [] : [{ plugin: plugin.name, call: call as Step['call'] }]
}

/**
 * Runs one request phase; returns a promise only if some hook did, so that synchronous plugins stay synchronous.
 * Stops when a hook has replied or the client has left.
 */
export function run(steps: readonly Step[], exchange: Exchange, from = 0): void | Promise<void> {
  for (let i = from; i < steps.length; i++) {
    const { plugin, call } = steps[i]!
    exchange.plugin = plugin
    const pending = call(exchange)
    if (pending !== undefined) {
      return pending.then(() => (exchange.replied || exchange.gone ? undefined : run(steps, exchange, i + 1)))
    }
    if (exchange.replied) return
  }
}

/** The same for a body on which every hook works for a while: other streams get their turn before each of them. */
export async function runPaced(steps: readonly Step[], exchange: Exchange): Promise<void> {
  for (const { plugin, call } of steps) {
    await yieldToEventLoop()
    if (exchange.gone) return
    exchange.plugin = plugin
    await call(exchange)
    if (exchange.replied) return
  }
  await yieldToEventLoop()
}

/** The stages of a reply, the one that sees a chunk first before the others. */
export function stagesOf(exchange: Exchange): readonly Transformer[] {
  const { transform, owners } = exchange.chain
  const stages: Transformer[] = []
  for (const hook of transform) {
    exchange.plugin = owners.get(hook) ?? PART.stage
    const stage = hook(exchange as never)
    if (stage !== undefined) stages.push(stage)
  }
  exchange.plugin = PART.backend
  return stages
}
