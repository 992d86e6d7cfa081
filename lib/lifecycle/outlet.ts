import type { ServerResponse } from 'node:http'
import type { Collector, ReplyContext } from '../canonical/format.ts'
import type { Chunk, Sink } from '../canonical/reply.ts'
import type { Exchange } from '../core/exchange.ts'
import type { GatewayError } from '../errors/errors.ts'
import { COMMENT_KEEP_ALIVE, frame } from '../sse/encoder.ts'
import { answer, endReply, finish, refuse, writeHead } from './answer.ts'

/** The client's end of the pipe: the last sink of the chain. A fail() goes to the reply, which alone decides what it means. */
export interface Outlet extends Sink {
  /** The status line has gone out: failures can only be told in-band from here on. */
  readonly committed: boolean
  /** Characters that have gathered since the last flush. */
  readonly waiting: number
  /** Sends it. False: the client does not keep up. */
  flush(): boolean
  /** Ends the answer with this failure, the only way it can still be told. */
  tell(error: GatewayError): void
}

const EVENT_STREAM = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache',
  // Proxies in front must not gather events.
  'x-accel-buffering',
  'no',
]

/** Events for a client that asked for a stream. Frames gather in a string and leave with one write per backend read. */
export class StreamOutlet implements Outlet {
  committed = false
  readonly #exchange: Exchange
  readonly #res: ServerResponse
  readonly #encoder: Sink
  readonly #onFail: (error: GatewayError) => void
  #out = ''

  constructor(exchange: Exchange, head: ReplyContext, onFail: (error: GatewayError) => void) {
    this.#exchange = exchange
    this.#res = exchange.res
    this.#onFail = onFail
    this.#encoder = exchange.chain.format.encoder(head, (event, data) => {
      this.#out += frame(event, data)
    })
  }

  commit(): void {
    this.committed = true
    writeHead(this.#exchange, 200, EVENT_STREAM)
  }

  chunk(chunk: Chunk): void {
    this.#encoder.chunk(chunk)
  }

  end(): void {
    this.#encoder.end()
    finish(this.#exchange, 'done')
    endReply(this.#exchange, this.#out)
  }

  fail(error: GatewayError): void {
    this.#onFail(error)
  }

  /** In-band: the status line has gone out. */
  tell(error: GatewayError): void {
    this.#encoder.fail(error)
    this.#exchange.brokeMidStream = true
    finish(this.#exchange, 'failed', error)
    endReply(this.#exchange, this.#out)
  }

  get waiting(): number {
    return this.#exchange.finished ? 0 : this.#out.length
  }

  flush(): boolean {
    const out = this.#out
    this.#out = ''
    return this.#res.write(out)
  }

  /** Tells proxies on the way that a silent stream is alive. */
  comment(): void {
    this.#out += COMMENT_KEEP_ALIVE
    this.flush()
  }
}

/** One JSON body for a client that asked for no stream. */
export class JsonOutlet implements Outlet {
  readonly committed = false
  readonly waiting = 0
  readonly #exchange: Exchange
  readonly #collector: Collector
  readonly #onFail: (error: GatewayError) => void

  constructor(exchange: Exchange, head: ReplyContext, onFail: (error: GatewayError) => void) {
    this.#exchange = exchange
    this.#collector = exchange.chain.format.collector(head)
    this.#onFail = onFail
  }

  chunk(chunk: Chunk): void {
    this.#collector.chunk(chunk)
  }

  end(): void {
    answer(this.#exchange, 200, 'application/json', JSON.stringify(this.#collector.result()), 'done')
  }

  fail(error: GatewayError): void {
    this.#onFail(error)
  }

  flush(): boolean {
    return true
  }

  tell(error: GatewayError): void {
    refuse(this.#exchange, error)
  }
}
