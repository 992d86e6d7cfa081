/** `sluiceway/testing`, for plugin authors: play() runs an exchange through a plugin, without sockets and backend. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from './base/json.ts'
import type { WriteQueue } from './base/write-queue.ts'
import { feedBody, JsonBody, lazyBody, type RequestBody, unlimitedBodies } from './body/index.ts'
import type { FormatOptions } from './canonical/format.ts'
import { type Chunk, newChunk, type Sink } from './canonical/reply.ts'
import type { CanonicalRequest } from './canonical/request.ts'
import { INTERNAL_SURFACES } from './config/surface.ts'
import { Admission } from './core/admission.ts'
import { applies, compile } from './core/chain.ts'
import { type Chain, Exchange } from './core/exchange.ts'
import type { ExchangeHost, Reply } from './core/exchange-types.ts'
import { finish, linkTransformers, run } from './core/hooks.ts'
import type { Outcome, Plugin } from './core/plugin.ts'
import type { Services } from './core/services.ts'
import { chat, formatOptions, type Slot, slotCount } from './core/slots.ts'
import { type GatewayError, toGatewayError } from './errors/errors.ts'
import { formatOf } from './formats/index.ts'
import { Proxies } from './http/proxies.ts'
import { ROUTES, type Route, type RouteName, type Surface } from './routes/routes.ts'
import { optionsCheck } from './schemas/options.ts'
import type { RequestRecord } from './store/record.ts'
import { testServices } from './test-services.ts'

export { newChunk, testServices }

/** One exchange to play. All members are optional. */
export interface Scene {
  /** Options as in the configuration. The defaults of the plugin's schema are added. */
  readonly options?: JsonObject
  /** Values of slots that plugins above would have set. */
  readonly given?: readonly (readonly [Slot, unknown])[]
  /** Default: the first route that the plugin applies to. */
  readonly route?: RouteName
  /** Default: the first surface of the route that the plugin applies to. */
  readonly surface?: Surface
  /** Host of the dedicated endpoint. Default: `acme-1.example.com` on the surface `dedicated`, otherwise null. */
  readonly endpoint?: string
  /** Default: that of the route. */
  readonly method?: string
  /** Request headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** The raw query without `?`. */
  readonly query?: string
  /** Values of `{name}` in the route's path. */
  readonly params?: Readonly<Record<string, string>>
  /** Body in the route's format. If a plugin needs the slot `chat`, its translation fills it, unless `given` does. */
  readonly body?: JsonObject
  /** large: texts of `body` and of a given slot `chat` are decoded when they are read. Default: small. */
  readonly size?: 'small' | 'large'
  /** A backend's reply, fed through the plugin's transformer. */
  readonly chunks?: readonly Chunk[]
  /** How the backend's reply ends. Default: `end`. */
  readonly ending?: 'end' | GatewayError
  /** The client receives events. Default: true. */
  readonly streaming?: boolean
  /** How the exchange ends if nothing is refused. Default: `done`. */
  readonly outcome?: Outcome
  /** Services that replace those of testServices(). */
  readonly services?: Partial<Services>
}

export interface Played {
  /** The refusal; undefined: none. */
  readonly error: GatewayError | undefined
  /** The response that the plugin sent with reply(); null: none. */
  readonly reply: Reply | null
  /** The exchange after its end, to read slots from. */
  readonly exchange: Exchange
  /** Chunks that left the transformer. */
  readonly chunks: readonly Chunk[]
  /** How the transformer ended the reply; undefined: the scene has no `chunks`. */
  readonly ended: 'end' | GatewayError | undefined
  /** Response headers that the plugin set. */
  readonly headers: Readonly<Record<string, string>>
  /** Records that the plugin appended. */
  readonly records: readonly RequestRecord[]
}

/** Flushes immediately, so that tests need not wait for the end of a tick. */
const IMMEDIATE: WriteQueue = { add: job => job.onFlush() }

/** Shared by all calls, because it compiles the schema of each plugin and the meta-schema once. */
const checkOptions = optionsCheck()

/**
 * Checks the options, runs the chain on an exchange, passes the chunks through the plugin's transformer and ends the
 * exchange. Resolves with a refusal as `error`. Rejects with anything else that the plugin throws, if options do not
 * match their schema, or if a provided slot stays empty.
 */
export async function play(plugin: Plugin, scene: Scene = {}): Promise<Played> {
  const records: RequestRecord[] = []
  const services = testServices(records, scene.services)
  const options = structuredClone(scene.options ?? {})
  if (plugin.options !== undefined) {
    const problems = checkOptions(plugin.options, options).map(({ path, message }) => `${path} ${message}`)
    if (problems.length > 0) throw new Error(`options: ${problems.join(', ')}`)
  }
  const hooks = await plugin.setup(options, services)
  const { route, surface } = placementOf(plugin, scene)
  const chain = compile([{ plugin, hooks }], route, surface, formatOf(route.format))
  const exchange = newExchange(scene, route, surface, chain, services)
  for (const [slot, value] of scene.given ?? []) exchange.set(slot, value)

  const out: Chunk[] = []
  let error: GatewayError | undefined
  let ended: Played['ended']
  try {
    await run(chain.headers, exchange)
    if (exchange.replyValue === null) {
      fillBody(exchange, plugin, scene)
      if (route.body !== null) await run(chain.body, exchange)
      await exchange.decided()
      for (const slot of (plugin.provides ?? []) as readonly Slot[]) {
        if (exchange.replyValue === null && exchange.find(slot) === undefined)
          throw new Error(`'${plugin.name}' provides slot '${slot.name}' and left it empty`)
      }
    }
    if (scene.chunks !== undefined) {
      exchange.streaming = scene.streaming ?? true
      exchange.upstream.isSent = true
      const last: Sink = {
        chunk(chunk) {
          out.push(chunk)
        },
        end() {
          ended = 'end'
        },
        fail(failed) {
          ended = failed
        },
      }
      const first = linkTransformers(exchange, last)
      for (const chunk of scene.chunks) first.chunk(chunk)
      for (let hold = exchange.upstream.takeHold(); hold !== null; hold = exchange.upstream.takeHold()) await hold
      const ending = scene.ending ?? 'end'
      if (ending === 'end') first.end()
      else first.fail(ending)
    }
  } catch (thrown) {
    error = toGatewayError(thrown)
    // Without a status it is a fault of the plugin, not a refusal with this code.
    if (error.code === 'internal_error')
      throw error.details.status === undefined ? (error.details.cause ?? error) : error
  }
  exchange.status = error?.status ?? exchange.replyValue?.status ?? 200
  for (const hook of chain.send) hook(exchange as never)
  finish(exchange, error !== undefined ? 'failed' : (scene.outcome ?? 'done'), error)
  return {
    error,
    reply: exchange.replyValue,
    exchange,
    chunks: out,
    ended,
    headers: pairs(exchange.responseHeaders),
    records,
  }
}

function fillBody(exchange: Exchange, { needs }: Plugin, { body = {}, size = 'small' }: Scene): void {
  const { route } = exchange
  exchange.requestBody = newBody(body, size, route.proxied)
  const request = exchange.find(chat)
  if (request === undefined) {
    if (!needs?.includes(chat) || !route.canonical) return
    const options = exchange.find(formatOptions) ?? FORMAT_OPTIONS
    exchange.set(chat, exchange.translateBody(exchange.chain.format, options))
  } else if (size === 'large') {
    // Members with texts have the same names as in a chat body.
    const { messages, prompt, ...others } = request as unknown as JsonObject
    const lazy = newBody({ messages, prompt }, size, route.proxied).value
    exchange.set(chat, Object.assign(lazy, others) as unknown as CanonicalRequest)
  }
}

function newBody(body: JsonObject, size: 'small' | 'large', isProxied: boolean): RequestBody {
  return size === 'large' && isProxied ? lazyBody(body) : new JsonBody(body)
}

const FORMAT_OPTIONS: FormatOptions = {
  chat: { usage_chunks: 'every' },
  messages: { adaptive_thinking: false, tool_images_without_vision: 'refuse', input_tokens: 'total' },
  responses: { unknown_tools: 'reject', sequence_number: false, untyped_items: 'refuse' },
  tools: { empty_parameters: 'refuse' },
  reasoning: { other_efforts: 'refuse' },
  errors: { used_up: 429 },
  clamp_max_tokens: ['messages'],
}

function placementOf(plugin: Plugin, scene: Scene): { route: Route; surface: Surface } {
  for (const route of ROUTES as readonly Route[]) {
    if (scene.route !== undefined && route.name !== scene.route) continue
    for (const surface of [...route.surfaces, ...(route.proxied ? INTERNAL_SURFACES : [])]) {
      if (scene.surface !== undefined && surface !== scene.surface) continue
      if (applies(plugin.routes, route, surface)) return { route, surface }
    }
  }
  throw new Error(`'${plugin.name}' runs on no such route`)
}

function newExchange(scene: Scene, route: Route, surface: Surface, chain: Chain, { clock }: Services): Exchange {
  const req = Object.assign(new EventEmitter(), {
    method: scene.method ?? route.method,
    headers: { ...scene.headers },
    complete: true,
  })
  const host: ExchangeHost = {
    client: new Proxies({ trusted: [], secure: false }),
    isAddressLogged: false,
    clock,
    writes: IMMEDIATE,
    clientIdleMs: 120_000,
    slots: slotCount(),
    bodies: unlimitedBodies(),
    admission: new Admission(),
    docsBase: 'http://127.0.0.1/docs/errors/',
    secure: false,
    feedBody,
    fault: (_exchange, thrown) => {
      throw thrown
    },
    refused: () => {},
  }
  const match = {
    route,
    surface,
    chain,
    endpoint: scene.endpoint ?? (surface === 'dedicated' ? 'acme-1.example.com' : null),
    params: scene.params ?? {},
  }
  return new Exchange(host, match, req as unknown as IncomingMessage, new EventEmitter() as unknown as ServerResponse, {
    path: route.path,
    query: scene.query ?? '',
  })
}

function pairs(flat: readonly string[]): Record<string, string> {
  return Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!]] : [])))
}
