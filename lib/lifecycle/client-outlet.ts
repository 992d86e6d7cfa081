/** The client's end of a reply: the last sink, which writes the client's format. */
import type { ServerResponse } from 'node:http'
import { hexOfUuid } from '../base/ids.ts'
import type { Json, JsonObject } from '../base/json.ts'
import { COMMENT_KEEP_ALIVE, frame } from '../base/sse.ts'
import type { Flushable } from '../base/write-queue.ts'
import { isText, textBytes } from '../body/index.ts'
import type { FormatOptions, ReplyContext } from '../canonical/format.ts'
import type { Chunk, Sink } from '../canonical/reply.ts'
import type { ChatRequest } from '../canonical/request.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import { type Ending, linkTransformers, writeHead } from '../core/hooks.ts'
import type { Outcome } from '../core/plugin.ts'
import { chat, formatOptions, target } from '../core/slots.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { GatewayError } from '../errors/errors.ts'
import { JsonOutlet } from './json-outlet.ts'
import { errorBody, reportFault } from './respond.ts'

export interface ClientOutlet extends Outlet {
  /** How the exchange ends. Called when the reply has ended. */
  ending(): Ending
}

/** Events for a client that asked for a stream, otherwise one JSON body. `options`: for accounts without options. */
export function openOutlet(exchange: Exchange, options: FormatOptions): ClientOutlet {
  const request = exchange.get(chat)
  const context: ReplyContext = {
    id: hexOfUuid(exchange.id),
    created: Math.floor(exchange.startedAt / 1000),
    model: exchange.get(target).model.id,
    request,
    options: exchange.find(formatOptions) ?? options,
    echo: request.kind === 'chat' && request.echo ? takeEcho(request, request.echo, exchange.bodyBytes) : NO_ECHO,
    clock: exchange.host.clock,
    errorBody: error => errorBody(exchange, error),
  }
  exchange.streaming = request.stream
  return request.stream ? new StreamOutlet(exchange, context) : new JsonOutlet(exchange, context)
}

/** Only replies of the Responses API repeat members of the request. */
const NO_ECHO: JsonObject = Object.freeze({})

/** A body up to this size is repeated without a check. */
const SMALL_BODY_BYTES = 128 * 1024

/** Members of a larger body are repeated up to this size. Longer texts are not decoded. */
const MAX_MEMBER_BYTES = 64 * 1024

/** Removes what the reply repeats from the request, and returns its small members. `bodyBytes`: the client's body. */
function takeEcho(request: ChatRequest, echo: JsonObject, bodyBytes: number): JsonObject {
  request.echo = undefined
  if (bodyBytes <= SMALL_BODY_BYTES) return echo
  const kept: JsonObject = {}
  for (const name of Object.keys(echo)) {
    const isSmall = isText(echo, name)
      ? textBytes(echo, name) <= MAX_MEMBER_BYTES
      : remainder(echo[name]!, MAX_MEMBER_BYTES) >= 0
    if (isSmall) kept[name] = echo[name]!
  }
  return kept
}

/** `limit` minus the approximate size of a value in JSON. Negative: larger, and only measured up to there. */
function remainder(value: Json, limit: number): number {
  if (typeof value === 'string') return limit - value.length
  if (typeof value !== 'object' || value === null) return limit - 8
  let rest = limit - 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = remainder(value[i]!, rest)
    return rest
  }
  for (const name in value) {
    rest = remainder(value[name]!, rest - name.length)
    if (rest < 0) return rest
  }
  return rest
}

/** Headers of server-sent events. The second one disables buffering in nginx and other proxies. */
export const UNBUFFERED = ['cache-control', 'no-cache', 'x-accel-buffering', 'no'] as const

const EVENT_STREAM = ['content-type', 'text/event-stream; charset=utf-8', ...UNBUFFERED]

/** An outlet that writes before the reply is complete: once per tick, and the last bytes after the finish hooks. */
export abstract class WritingOutlet implements Ending, Flushable {
  committed = false
  ended = false
  error: GatewayError | undefined
  protected readonly exchange: Exchange
  protected readonly res: ServerResponse

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.res = exchange.res
  }

  protected begin(last: Sink, headers: readonly string[]): Sink {
    const first = linkTransformers(this.exchange, last)
    writeHead(this.exchange, 200, headers)
    this.committed = true
    return first
  }

  fail(error: GatewayError): void {
    if (this.ended) return
    this.ended = true
    this.error = error
    error.refusedBy ??= PART.transformer
    if (!this.committed) return
    this.exchange.brokeMidStream = true
    reportFault(this.exchange, error)
  }

  get outcome(): Outcome {
    return this.error === undefined ? 'done' : 'failed'
  }

  sendHead(): void {}

  sendLast(): void {
    this.exchange.host.writes.add(this)
  }

  abstract onFlush(): void
}

/** Collects events as text, which flush() writes. */
class StreamOutlet extends WritingOutlet implements ClientOutlet, Sink {
  readonly isStream = true
  readonly #encoder: Sink
  /** null until the head has been written. */
  #body: StreamedText | null = null
  #out = ''
  /** The encoder failed to report the failure of the reply. */
  #isBroken = false

  constructor(exchange: Exchange, context: ReplyContext) {
    super(exchange)
    this.#encoder = exchange.chain.format.encoder(context, (event, data) => {
      this.#out += frame(event, data)
    })
  }

  open(): Sink {
    const first = this.begin(this, EVENT_STREAM)
    this.#body = new StreamedText(this.res)
    return first
  }

  /** Ignored after the end: of an event with two choices, the first may fail the reply. */
  chunk(chunk: Chunk): void {
    if (!this.ended) this.#encoder.chunk(chunk)
  }

  end(): void {
    if (this.ended) return
    this.#encoder.end()
    this.ended = true
  }

  /** Reports the failure in-band. */
  override fail(error: GatewayError): void {
    if (this.ended) return
    super.fail(error)
    try {
      this.#encoder.fail(error)
    } catch (thrown) {
      this.exchange.host.fault(this.exchange, thrown, PART.transformer)
      this.#isBroken = true
    }
  }

  /** 0 after the end: sendLast() writes the rest, after the finish hooks. */
  get waiting(): number {
    return this.ended ? 0 : this.#out.length
  }

  flush(): boolean {
    const out = this.#out
    this.#out = ''
    return this.#body!.write(out)
  }

  bytes(): void {}

  comment(): void {
    this.#out += COMMENT_KEEP_ALIVE
    this.flush()
  }

  ending(): Ending {
    return this
  }

  onFlush(): void {
    // The closed connection shows the client that the response is incomplete.
    if (this.#isBroken) return void this.res.destroy()
    this.#body!.end(this.#out)
    this.exchange.disconnectIfUnread()
  }
}

/** The chunk of zero bytes that ends a body, without trailers (RFC 9112 section 7.1). */
const LAST_CHUNK = '0\r\n\r\n'

/** A body of unknown length, written as one string per chunk. Node's own framing writes four (docs/adr/0037). */
class StreamedText {
  readonly #res: ServerResponse
  /** False for HTTP/1.0 clients, which read until the connection closes, and for HEAD, whose response has no body. */
  readonly #isChunked: boolean

  /** Must be created after the head has been written: Node decides about chunked framing then. */
  constructor(res: ServerResponse) {
    this.#res = res
    this.#isChunked = res.chunkedEncoding
    // Node must not frame the chunks again.
    res.chunkedEncoding = false
  }

  /** False: backpressure; the caller waits for `drain` of the response. */
  write(text: string): boolean {
    // An empty chunk would end the body.
    if (text === '') return true
    return this.#res.write(this.#isChunked ? chunk(text) : text)
  }

  /** Ends the response after this text. */
  end(text: string): void {
    if (!this.#isChunked) return void this.#res.end(text)
    this.#res.end(text === '' ? LAST_CHUNK : chunk(text) + LAST_CHUNK)
  }
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
