import type { Collector, ReplyContext } from '../canonical/format.ts'
import type { Chunk, Sink } from '../canonical/reply.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import { type Ending, linkTransformers } from '../core/hooks.ts'
import type { Outlet } from '../engines/replies/outlet.ts'
import type { GatewayError } from '../errors/errors.ts'
import { refusal, WholeResponse } from './respond.ts'

/** Collects the chunks of a reply into one JSON body. */
export class JsonOutlet implements Outlet, Sink {
  readonly isStream = false
  readonly committed = false
  readonly waiting = 0
  ended = false
  readonly #exchange: Exchange
  readonly #context: ReplyContext
  /** null until open(). */
  #collector: Collector | null = null
  #text = ''
  #error: GatewayError | undefined

  constructor(exchange: Exchange, context: ReplyContext) {
    this.#exchange = exchange
    this.#context = context
  }

  /** Discards the chunks of an earlier attempt. */
  open(): Sink {
    this.#collector = this.#exchange.chain.format.collector(this.#context)
    return linkTransformers(this.#exchange, this)
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
