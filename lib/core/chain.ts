import { nextTurn } from '../base/long-work.ts'
import type { Format } from '../canonical/format.ts'
import type { Transformer } from '../canonical/reply.ts'
import { toGatewayError } from '../errors/errors.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Chain, Exchange, HookCall } from './exchange.ts'
import type { Hooks, Plugin, RouteFilter } from './plugin.ts'
import { key, type Slot } from './slots.ts'
import type { AttemptFacts, UpstreamWork } from './upstream.ts'

/** Parts of the core that can refuse, with their values for `plugin` in the metric of refusals and in the log. */
export const PART = {
  router: 'router',
  admission: 'admission',
  body: 'body',
  backend: 'backend',
  transformer: 'transformer',
} as const

/** A plugin after setup. */
export interface ReadyPlugin {
  readonly plugin: Plugin
  readonly hooks: Hooks
}

/** Whether a plugin with this filter runs on this route of this surface. */
export function applies(filter: RouteFilter | undefined, route: Route, surface: Surface): boolean {
  if (filter === undefined) return true
  return (
    (filter.surface === undefined || filter.surface.includes(surface)) &&
    (filter.format === undefined || filter.format.includes(route.format)) &&
    (filter.route === undefined || filter.route.includes(route.name)) &&
    (filter.proxied === undefined || filter.proxied === route.proxied) &&
    (filter.canonical === undefined || filter.canonical === route.canonical) &&
    (filter.access === undefined || [filter.access].flat().includes(route.access))
  )
}

/**
 * Flat lists of the hooks that run on this route, so that no request evaluates a filter. `reading`: the steps that read
 * the body of a request, between its header hooks and its body hooks.
 */
export function compile(
  all: readonly ReadyPlugin[],
  route: Route,
  surface: Surface,
  format: Format,
  reading: readonly HookCall[] = [],
): Chain {
  const down = all.filter(({ plugin }) => applies(plugin.routes, route, surface))
  const up = down.toReversed()
  const owners = new Map<unknown, string>()
  const owned = <H extends object>(hook: H | undefined, { name }: Plugin): readonly H[] => {
    if (hook === undefined) return []
    owners.set(hook, name)
    return [hook]
  }
  const headers = down.flatMap(ready => [...step(ready, 'onHeaders'), ...(providesKey(ready.plugin) ? [ADMIT] : [])])
  const body = down.flatMap(ready => step(ready, 'onBody'))
  return {
    format,
    headers,
    body,
    request: route.body === null ? headers : [...headers, ...reading, ...body],
    attempt: down.flatMap(({ hooks, plugin }) => owned(hooks.onAttempt?.bind(hooks), plugin)),
    send: up.flatMap(({ hooks, plugin }) => owned(hooks.onSend?.bind(hooks), plugin)),
    transform: up.flatMap(({ hooks, plugin }) => owned(hooks.transform?.bind(hooks), plugin)),
    finish: up.flatMap(({ hooks, plugin }) => owned(hooks.onFinish?.bind(hooks), plugin)),
    owners,
  }
}

/** Bounds what one key and one account have in flight. Runs as soon as the key is known. */
const ADMIT: HookCall = {
  plugin: PART.admission,
  call(exchange) {
    const caller = exchange.find(key)
    if (caller !== undefined && exchange.admitted === null) exchange.admitted = exchange.host.admission.enter(caller)
  },
}

function providesKey({ provides = [] }: Plugin): boolean {
  return provides.some((slot: Slot) => slot.index === key.index)
}

function step({ plugin, hooks }: ReadyPlugin, hook: 'onHeaders' | 'onBody'): readonly HookCall[] {
  const call = hooks[hook]?.bind(hooks)
  return call === undefined ? [] : [{ plugin: plugin.name, call: call as HookCall['call'] }]
}

/**
 * Runs steps until one has replied or the client has disconnected. Throws the GatewayError of the step that refuses, which
 * names its plugin. Returns a promise only if some step did, so that synchronous hooks stay synchronous.
 */
export function run(steps: readonly HookCall[], exchange: Exchange): void | Promise<void> {
  for (let i = 0; i < steps.length; i++) {
    const pending = call(steps[i]!, exchange)
    if (pending !== undefined) return runAfter(pending, steps, i, exchange)
    if (exchange.ended) return
  }
}

/** The rest of run(), from a step that returned a promise on. Other exchanges run between the hooks of a heavy one. */
async function runAfter(
  pending: Promise<void>,
  steps: readonly HookCall[],
  at: number,
  exchange: Exchange,
): Promise<void> {
  let step = steps[at]!
  let result: Promise<void> | void = pending
  for (let i = at + 1; ; i++) {
    try {
      if (result !== undefined) await result
    } catch (thrown) {
      throw toGatewayError(thrown, step.plugin)
    } finally {
      exchange.gate.attribute(step.plugin)
    }
    if (exchange.isHeavy) await nextTurn()
    if (exchange.ended || i === steps.length) return
    step = steps[i]!
    result = call(step, exchange)
  }
}

function call(step: HookCall, exchange: Exchange): void | Promise<void> {
  try {
    return step.call(exchange)
  } catch (thrown) {
    throw toGatewayError(thrown, step.plugin)
  } finally {
    exchange.gate.attribute(step.plugin)
  }
}

/** Notes an attempt that begins, and calls its hooks. `work`: cancels it. */
export function beginAttempt(exchange: Exchange, facts: AttemptFacts, work: UpstreamWork): void {
  exchange.upstream.begin(work, facts, exchange.trace, exchange.host.clock.monotonic())
  const { attempt: hooks, owners } = exchange.chain
  for (const hook of hooks) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      exchange.host.fault(exchange, thrown, owners.get(hook))
    }
  }
}

/** The transformers of a reply; the first of them sees a chunk first. Throws the GatewayError of a hook that throws. */
export function transformersOf(exchange: Exchange): readonly Transformer[] {
  const { transform, owners } = exchange.chain
  const transformers: Transformer[] = []
  for (const hook of transform) {
    try {
      const transformer = hook(exchange as never)
      if (transformer !== undefined) transformers.push(transformer)
    } catch (thrown) {
      throw toGatewayError(thrown, owners.get(hook))
    }
  }
  return transformers
}
