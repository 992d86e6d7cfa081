/** The client's end of a reply: the last sink, which writes the client's format. */
import type { ServerResponse } from 'node:http'
import { hexOfUuid } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { COMMENT_KEEP_ALIVE, frame } from '../base/sse.ts'
import type { Flushable } from '../base/write-queue.ts'
import type { Collector, FormatOptions, ReplyContext } from '../canonical/format.ts'
import { type Chunk, link, type Sink } from '../canonical/reply.ts'
import { PART, transformersOf } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Outcome } from '../core/plugin.ts'
import { chat, formatOptions, target } from '../core/slots.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { GatewayError } from '../errors/errors.ts'
import { takeEcho } from './echo.ts'
import { disconnectUnread, type Ending, errorBody, refusal, reportFault, WholeResponse, writeHead } from './respond.ts'

/** An outlet, and how the exchange ends when the reply is over. */
export interface ClientOutlet extends Outlet {
  ending(): Ending
}

/** Events for a client that asked for a stream, else one JSON body. `options`: where the account has none of its own. */
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

/** Only Responses repeats something of the request. */
const NO_ECHO: JsonObject = Object.freeze({})

/** Links the transformers in front of `last`. Returns the first sink. */
export function linked(exchange: Exchange, last: Sink): Sink {
  const first = link(transformersOf(exchange), last)
  exchange.source = 'backend'
  return first
}

const EVENT_STREAM = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache',
  // Tells proxies not to buffer events.
  'x-accel-buffering',
  'no',
]

/** An outlet that is written to before the reply is complete: with one write per tick, the rest after the finish hooks. */
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
    const first = linked(this.exchange, last)
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

/** Events gather in a string. */
export class StreamOutlet extends WritingOutlet implements ClientOutlet, Sink {
  readonly isStream = true
  readonly #encoder: Sink
  /** null until the head has been written. */
  #body: StreamedText | null = null
  #out = ''
  /** The encoder could not even report the failure. */
  #broken = false

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

  /** Ignored after the end: an event with two choices may fail at the first of them. */
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
      this.#broken = true
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
    // A closed connection is the last way to show that the response is not complete.
    if (this.#broken) return void this.res.destroy()
    this.#body!.end(this.#out)
    disconnectUnread(this.exchange)
  }
}

/** The chunk of zero bytes that ends a body, without trailers (RFC 9112 section 7.1). */
const LAST_CHUNK = '0\r\n\r\n'

/**
 * A body of text whose length is unknown when its head is written. If Node has chosen chunked framing, each write passes one
 * chunk to the socket as one string; Node would write four pieces (docs/adr/0037-own-chunk-framing.md).
 */
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

/** Chunks gather until the reply is complete. */
export class JsonOutlet implements ClientOutlet, Sink {
  readonly isStream = false
  readonly committed = false
  readonly waiting = 0
  ended = false
  readonly #exchange: Exchange
  readonly #context: ReplyContext
  /** null until the first chunk. */
  #collector: Collector | null = null
  #text = ''
  #error: GatewayError | undefined

  constructor(exchange: Exchange, context: ReplyContext) {
    this.#exchange = exchange
    this.#context = context
  }

  /** A new collector: drops the chunks of an earlier attempt. */
  open(): Sink {
    this.#collector = this.#exchange.chain.format.collector(this.#context)
    return linked(this.#exchange, this)
  }

  chunk(chunk: Chunk): void {
    if (!this.ended) this.#collector!.chunk(chunk)
  }

  end(): void {
    if (this.ended) return
    this.#text = JSON.stringify(this.#collector!.result())
    this.ended = true
  }

  fail(error: GatewayError): void {
    if (this.ended) return
    this.ended = true
    this.#error = error
    error.refusedBy ??= PART.transformer
  }

  flush(): boolean {
    return true
  }

  bytes(): void {}

  comment(): void {}

  ending(): Ending {
    if (this.#error !== undefined) return refusal(this.#exchange, this.#error)
    return new WholeResponse(this.#exchange, 200, 'application/json', this.#text)
  }
}
