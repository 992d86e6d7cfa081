/** Real exchanges without sockets. Their response records what is sent. */
import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { unlimitedBodies } from '../../lib/body/bodies.ts'
import { feedBody } from '../../lib/body/feed.ts'
import { Admission } from '../../lib/core/admission.ts'
import { compile } from '../../lib/core/chain.ts'
import { Exchange } from '../../lib/core/exchange.ts'
import type { ExchangeHost } from '../../lib/core/exchange-types.ts'
import { definePlugin, type Hooks } from '../../lib/core/plugin.ts'
import { slotCount } from '../../lib/core/slots.ts'
import type { GatewayError } from '../../lib/errors/errors.ts'
import { formatOf } from '../../lib/formats/index.ts'
import { Proxies } from '../../lib/http/proxies.ts'
import { ROUTES, type Route, type RouteName, type Surface } from '../../lib/routes/routes.ts'
import { ManualClock } from './clock.ts'

/** Calls on the response and the ends of the exchange, in order. */
export type Step =
  | readonly ['head', status: number, headers: Readonly<Record<string, string>>]
  | readonly ['write' | 'end', text: string]
  | readonly ['finish', outcome: string]

export class NotedResponse extends EventEmitter {
  readonly steps: Step[] = []
  /** The return value of write(): no backpressure. */
  room = true
  shouldKeepAlive = true
  /** Everything was written at once. */
  writableFinished = false

  writeHead(status: number, flat: readonly string[]): void {
    const headers: Record<string, string> = {}
    for (let i = 0; i < flat.length; i += 2) headers[flat[i]!] = flat[i + 1]!
    this.steps.push(['head', status, headers])
  }

  write(text: string | Buffer): boolean {
    this.steps.push(['write', String(text)])
    return this.room
  }

  /** Idle timeout of the response in milliseconds; undefined: none. */
  idleMs: number | undefined

  setTimeout(ms: number): void {
    this.idleMs = ms
  }

  end(text: string | Buffer = '', encoding?: BufferEncoding): void {
    this.steps.push(['end', typeof text === 'string' ? String(Buffer.from(text, encoding)) : String(text)])
    this.writableFinished = this.room
  }
}

export interface Place {
  readonly route?: RouteName
  readonly surface?: Surface
  readonly method?: string
  readonly headers?: IncomingHttpHeaders
  readonly docsBase?: string | null
  readonly clock?: ManualClock
  readonly clientIdleMs?: number
  /** Hooks of plugins, top to bottom. */
  readonly hooks?: readonly Hooks[]
}

export interface NotedExchange {
  readonly exchange: Exchange
  readonly res: NotedResponse
  /** Names of the steps. */
  names(): string[]
  readonly faults: unknown[]
  /** The source of each fault. */
  readonly sources: readonly (string | undefined)[]
  readonly refusals: GatewayError[]
}

export function notedExchange(place: Place = {}): NotedExchange {
  const { route: name = 'chat', surface = 'gateway', headers = {}, docsBase = null, hooks = [] } = place
  const route = ROUTES.find(one => one.name === name) as Route
  const res = new NotedResponse()
  const faults: unknown[] = []
  const sources: (string | undefined)[] = []
  const refusals: GatewayError[] = []
  const noting: Hooks = { onFinish: ({ outcome }) => void res.steps.push(['finish', outcome]) }
  const ready = [noting, ...hooks].map((own, i) => ({
    plugin: definePlugin({ name: `plugin-${i}`, summary: '', setup: () => own }),
    hooks: own,
  }))
  const host: ExchangeHost = {
    client: new Proxies({ trusted: [], secure: false }),
    isAddressLogged: false,
    clock: place.clock ?? new ManualClock(),
    writes: { add: job => job.onFlush() },
    clientIdleMs: place.clientIdleMs ?? 60_000,
    slots: slotCount(),
    bodies: unlimitedBodies(),
    admission: new Admission(),
    docsBase,
    secure: false,
    feedBody,
    fault: (_exchange, thrown, source) => {
      faults.push(thrown)
      sources.push(source)
    },
    refused: error => void refusals.push(error),
  }
  const match = {
    route,
    surface,
    endpoint: surface === 'dedicated' ? 'acme-1.test' : null,
    chain: compile(ready, route, surface, formatOf(route.format)),
  }
  const req = Object.assign(new EventEmitter(), { method: place.method ?? route.method, headers, complete: true })
  const exchange = new Exchange(host, match, req as unknown as IncomingMessage, res as unknown as ServerResponse, {
    path: route.path,
    query: '',
  })
  return { exchange, res, names: () => res.steps.map(([name]) => name), faults, sources, refusals }
}
