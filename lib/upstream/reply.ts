import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { parseJson } from '../base/json.ts'
import type { Flushable } from '../base/write-queue.ts'
import type { Chunk, Sink } from '../canonical/reply.ts'
import { link } from '../canonical/transformer.ts'
import type { ModelConfig, Timeouts } from '../config/config.ts'
import { stagesOf } from '../core/chain.ts'
import { type Exchange, PART } from '../core/exchange.ts'
import type { GatewayError } from '../errors/errors.ts'
import { finish } from '../lifecycle/answer.ts'
import { type Outlet, StreamOutlet } from '../lifecycle/outlet.ts'
import type { WireDecoder } from './decode/decoder.ts'
import { type BackendFailure, brokenReply, ownFailure, timeoutFailure } from './failure.ts'
import { type IdleListener, IdleTimer } from './idle-timer.ts'
import { Incoming, UnreadableError } from './incoming.ts'
import { type BackendCall, decoded } from './proxy-call.ts'

/** More than this does not wait for the end of a turn. */
const FLUSH_CHARACTERS = 32 * 1024

/** What whoever started the reply learns, each at most once. */
export interface ReplyOwner {
  /** The first event has been read and is good: no retry from here on. */
  onCommitted(): void
  /** It failed before anything was sent to the client. */
  onRefused(failed: BackendFailure): void
  /** The backend's part is over; called before the client's last byte. */
  onOver(outcome: 'ok' | 'failed' | 'neutral'): void
}

/**
 * A 2xx answer of a backend on its way to the client: bytes, events, canonical chunks, stages, the client's format.
 * The status line waits for the first event (docs/DESIGN.md#the-status-line-waits). A stream is complete only with a
 * finish reason and a clean end, and it ends in exactly one way (docs/DESIGN.md#complete-streams).
 */
export class Reply implements Sink, IdleListener, Flushable {
  readonly #exchange: Exchange
  readonly #message: IncomingMessage
  readonly #source: Readable
  readonly #call: BackendCall
  readonly #wire: WireDecoder
  readonly #model: ModelConfig
  readonly #outlet: Outlet
  readonly #owner: ReplyOwner
  readonly #silence: IdleTimer
  readonly #incoming: Incoming
  /** The first stage; null until the first chunk. */
  #first: Sink | null = null
  #over = false
  #paused = false
  /** What has gathered for the client leaves at the end of this turn. */
  #flushDue = false

  constructor(
    exchange: Exchange,
    message: IncomingMessage,
    call: BackendCall,
    wire: (sink: Sink) => WireDecoder,
    outlet: (onFail: (error: GatewayError) => void) => Outlet,
    model: ModelConfig,
    timeouts: Timeouts,
    owner: ReplyOwner,
  ) {
    this.#exchange = exchange
    this.#message = message
    this.#call = call
    this.#wire = wire(this)
    this.#outlet = outlet(error => this.#givenUp(error))
    this.#model = model
    this.#owner = owner
    this.#silence = new IdleTimer(exchange.host.clock, timeouts, this.#outlet instanceof StreamOutlet, this)
    this.#incoming = new Incoming(message.headers['content-type'], (data, name) => this.#event(data, name))
    this.#source = decoded(message)
    this.#source.on('data', (chunk: Buffer) => this.#data(chunk))
    this.#source.on('end', () => this.#end())
    this.#source.on('error', () => this.#lost())
    // After a complete message the decoder may still be at work; its own end follows.
    message.on('close', () => {
      if (!message.complete) this.#lost()
    })
  }

  /** The client left: nothing more is read, written or waited for. */
  abandon(): void {
    this.#stop()
    this.#call.destroy()
  }

  /** The backend did not send its first event in time. */
  firstByteLate(): void {
    if (!this.#silence.begun) this.#broken(timeoutFailure(this.#model))
  }

  // ------------------------------------------------------------ from the backend

  #data(chunk: Buffer): void {
    if (this.#over) return
    this.#silence.read()
    try {
      this.#incoming.feed(chunk)
      if (this.#incoming.hasText) this.#silence.begin()
    } catch (thrown) {
      this.#broken(this.#failureOf(thrown))
    }
    // Stages may hold chunks back, such as a tool call until it is whole: only what leaves counts as a sign of life.
    const { waiting } = this.#outlet
    this.#silence.handled(waiting > 0)
    // Many reads may follow each other in one turn: a client that does not keep up must be noticed between them.
    if (waiting >= FLUSH_CHARACTERS) this.#flush()
    else if (waiting > 0 && !this.#flushDue) {
      this.#flushDue = true
      this.#exchange.host.writes.add(this)
    }
  }

  onFlush(): void {
    this.#flushDue = false
    if (this.#outlet.waiting > 0) this.#flush()
  }

  #flush(): void {
    if (!this.#exchange.gone && !this.#outlet.flush()) this.#pause()
  }

  #event(data: string, name: string | undefined): void {
    if (this.#over) return
    if (data === '[DONE]') return this.#complete()
    this.#silence.begin()
    const json = parseJson(data)
    if (json === undefined) return this.#broken(this.#unusable('an event is not JSON'))
    const failed = this.#wire.event(json, name)
    if (failed !== undefined) this.#broken(failed)
  }

  #end(): void {
    if (this.#over) return
    if (!this.#message.complete) return this.#lost()
    try {
      const json = this.#incoming.end()
      const failed = json === undefined ? undefined : this.#wire.whole(json)
      if (failed !== undefined) return this.#broken(failed)
      this.#complete()
    } catch (thrown) {
      this.#broken(this.#failureOf(thrown))
    }
  }

  #lost(): void {
    if (!this.#over) this.#broken(this.#unusable('the connection broke before the end'))
  }

  /** A clean end. It counts only if a finish reason came before it (docs/DESIGN.md#complete-streams). */
  #complete(): void {
    if (!this.#wire.finished) return this.#broken(this.#unusable('the stream ended without a finish reason'))
    this.#stop()
    this.#source.resume()
    this.#call.letGo(this.#message)
    this.#owner.onOver('ok')
    try {
      const first = this.#first ?? this.#open()
      first.end()
    } catch (thrown) {
      this.#tell(this.#own(thrown).error)
    }
  }

  // ------------------------------------------------------------ to the client

  chunk(chunk: Chunk): void {
    const first = this.#first ?? this.#open()
    first.chunk(chunk)
  }

  end(): void {}

  fail(error: GatewayError): void {
    this.#broken(this.#own(error))
  }

  /** Links the stages and, for a stream, sends the status line. */
  #open(): Sink {
    this.#first = link(stagesOf(this.#exchange), this.#outlet)
    this.#exchange.source = 'backend'
    if (this.#outlet instanceof StreamOutlet) {
      this.#outlet.commit()
      this.#owner.onCommitted()
    }
    return this.#first
  }

  #broken(failed: BackendFailure): void {
    if (this.#over) return
    this.#stop()
    this.#call.destroy()
    if (!this.#outlet.committed) return this.#owner.onRefused(failed)
    this.#owner.onOver(failed.penalise ? 'failed' : 'neutral')
    try {
      this.#first!.fail(failed.error)
    } catch (thrown) {
      this.#exchange.host.fault(this.#exchange, thrown)
    }
    // A stage may have kept the failure to itself.
    this.#tell(failed.error)
  }

  /** A failure has come through the stages to the outlet: that of the backend, or one that a stage found by itself. */
  #givenUp(error: GatewayError): void {
    if (!this.#over) {
      this.#stop()
      this.#call.destroy()
      if (!this.#outlet.committed) return this.#owner.onRefused(this.#own(error))
      this.#owner.onOver('neutral')
    }
    this.#tell(error)
  }

  /** The backend's part is over, the client's is not: how that failed is the last thing it hears. */
  #tell(error: GatewayError): void {
    const exchange = this.#exchange
    if (exchange.finished) return
    if (this.#outlet.committed && error.code === 'internal_error') exchange.host.fault(exchange, error.details.cause)
    try {
      this.#outlet.tell(error)
    } catch (thrown) {
      // The encoder itself is broken: a cut connection is the last way to say that this is no complete answer.
      exchange.host.fault(exchange, thrown)
      finish(exchange, 'failed', error)
      exchange.res.destroy()
    }
  }

  #pause(): void {
    if (this.#paused || this.#over) return
    this.#paused = true
    this.#source.pause()
    this.#silence.pause()
    this.#exchange.res.once('drain', () => {
      this.#paused = false
      if (this.#over) return
      this.#source.resume()
      this.#silence.resume()
    })
  }

  // ------------------------------------------------------------ IdleListener

  onBackendIdle(): void {
    this.#broken(timeoutFailure(this.#model))
  }

  /** A client that reads nothing for so long is treated as gone: its connection is of no use to anybody. */
  onClientIdle(): void {
    this.#exchange.res.destroy()
  }

  /** A long silence after the backend's own 200: better a live connection than a held status line (docs/adr/0006). */
  onKeepAliveDue(): void {
    if (!(this.#outlet instanceof StreamOutlet)) return
    try {
      if (this.#first === null) this.#open()
      this.#outlet.comment()
    } catch (thrown) {
      this.#broken(this.#own(thrown))
    }
  }

  #stop(): void {
    this.#over = true
    this.#silence.stop()
  }

  /** Not the backend's: that of a stage, or of a plugin that has thrown before it gave one. */
  #own(thrown: unknown): BackendFailure {
    if (this.#exchange.plugin === PART.backend) this.#exchange.plugin = PART.stage
    return ownFailure(thrown)
  }

  #failureOf(thrown: unknown): BackendFailure {
    return thrown instanceof UnreadableError ? this.#unusable(thrown.message) : this.#own(thrown)
  }

  #unusable(cause: string): BackendFailure {
    return brokenReply(this.#model, cause)
  }
}
