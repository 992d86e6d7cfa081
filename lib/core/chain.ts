/** Compiles the hooks of all plugins to one chain per route and surface. */
import type { Format } from '../canonical/format.ts'
import { CLIENT_SURFACES } from '../config/surface.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { Chain, HookCall } from './exchange.ts'
import { admit } from './hooks.ts'
import type { Hooks, Plugin, RouteFilter } from './plugin.ts'
import { key, type Slot } from './slots.ts'

/** Parts of the core that can refuse a request: values of `plugin` in the metric of refusals and in the log. */
export const PART = {
  router: 'router',
  admission: 'admission',
  body: 'body',
  backend: 'backend',
  transformer: 'transformer',
} as const

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

/** Compiles flat hook lists of one route. `reading`: steps that read the body, between header and body hooks. */
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
  const headers = down.flatMap(ready => [
    ...step(ready, 'onHeaders'),
    ...(isAdmitted(ready.plugin, surface) ? [ADMIT] : []),
  ])
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

/** Runs as soon as the key is known. */
const ADMIT: HookCall = { plugin: PART.admission, call: admit }

/** Internal requests hold no connection, and their senders bound their number. */
function isAdmitted({ provides = [] }: Plugin, surface: Surface): boolean {
  const isClient = CLIENT_SURFACES.some(one => one === surface)
  return isClient && provides.some((slot: Slot) => slot.index === key.index)
}

function step({ plugin, hooks }: ReadyPlugin, hook: 'onHeaders' | 'onBody'): readonly HookCall[] {
  const call = hooks[hook]?.bind(hooks)
  return call === undefined ? [] : [{ plugin: plugin.name, call: call as HookCall['call'] }]
}
