import type { ServerResponse } from 'node:http'
import type { Directives } from './directives.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Settings } from './options.ts'
import type { Plan } from './plan.ts'
import { type Random, seededRandom } from './random.ts'
import { Refusal } from './refusal.ts'
import { errorFrames, sendJson, sendRefusal } from './reply.ts'
import { Cursor } from './script.ts'
import type { Ticker, Timed } from './ticker.ts'
import { hashText } from './tokens.ts'
import { DONE, type Wire } from './wire.ts'

/** Maximum number of tokens of a choice per write: many enough to be fast, few enough not to block other streams. */
const MAX_STEPS = 32

export interface Playback {
  readonly engine: EngineTraits
  readonly settings: Settings
  readonly ticker: Ticker
  /** Called with the number of tokens just generated. */
  onTokens(count: number): void
}

/** Sends the reply of one plan: token by token at its rate, or as a whole after the same time. */
export class Generation implements Timed {
  due = 0
  slot = -1
  readonly #plan: Plan
  readonly #wire: Wire
  readonly #res: ServerResponse
  readonly #playback: Playback
  readonly #cursors: readonly Cursor[]
  readonly #random: Random
  /** Milliseconds between tokens; 0: as fast as possible. */
  readonly #gap: number
  readonly #fault: Fault | undefined
  /** Number of tokens after which the stream pauses; -1: no pause is left. */
  #stallAt: number
  /** Number of tokens of the longest choice so far. */
  #steps = 0
  #isOver = false
  /** Called at the end of a generation that continues after its client has disconnected. */
  #onDetachedEnd: (() => void) | undefined

  constructor(plan: Plan, wire: Wire, res: ServerResponse, playback: Playback) {
    this.#plan = plan
    this.#wire = wire
    this.#res = res
    this.#playback = playback
    this.#cursors = plan.scripts.map(script => new Cursor(script))
    this.#random = seededRandom(hashText(plan.id))
    const { directives } = plan
    const speed = directives.tokens_per_second ?? playback.settings.tokensPerSecond
    this.#gap = speed === 0 ? 0 : 1000 / speed
    this.#fault = faultOf(directives)
    this.#stallAt = directives.stall === undefined ? -1 : (directives.stall_after ?? 1)
  }

  /** True after the reply was written, completely or up to its fault. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Number of tokens in the KV cache: those of the prompt, and those generated so far. */
  get tokens(): number {
    return this.#plan.prompt.tokens + this.#cursors.reduce((sum, { count }) => sum + count, 0)
  }

  start(): void {
    const { directives, stream, scripts } = this.#plan
    let wait = directives.first_token ?? this.#playback.settings.firstTokenMs
    if (!stream) {
      const longest = Math.max(...scripts.map(script => script.tokens))
      wait += Math.min(longest, this.#fault?.after ?? longest) * this.#gap + (directives.stall ?? 0)
    }
    this.#playback.ticker.schedule(this, performance.now() + wait)
  }

  /** Stops, because the client has disconnected. */
  cancel(): void {
    this.#isOver = true
    this.#playback.ticker.cancel(this)
  }

  /** Generates to the end, although the client has disconnected. */
  continueDetached(done: () => void): void {
    this.#onDetachedEnd = done
  }

  onTick(now: number): void {
    if (this.#plan.stream) this.#play(now)
    else this.#sendWhole()
  }

  #play(now: number): void {
    let out = ''
    for (let steps = 0; steps < MAX_STEPS && this.due <= now; steps++) {
      if (this.#steps === this.#fault?.after) return this.#break(this.#fault.kind, out)
      if (this.#cursors.every(cursor => cursor.isDone) && this.#steps > 0) return this.#finish(out)
      if (this.#steps === this.#stallAt) {
        this.#stallAt = -1
        this.due = now + (this.#plan.directives.stall ?? 0)
        break
      }
      out += this.#step()
      this.due += this.#gap * this.#jitterFactor()
    }
    this.#send(out, now)
  }

  /** Generates one token of every unfinished choice. */
  #step(): string {
    let out = ''
    let tokens = 0
    const isFirst = this.#steps++ === 0
    for (let choice = 0; choice < this.#cursors.length; choice++) {
      const cursor = this.#cursors[choice]!
      if (isFirst) out += this.#wire.open(choice)
      const isEmpty = isFirst && cursor.isDone
      if (cursor.isDone && !isEmpty) continue
      if (!isEmpty) {
        cursor.advance()
        tokens++
        out += this.#wire.token(choice, cursor)
      }
      if (cursor.isDone) out += this.#wire.close(choice, cursor)
    }
    this.#playback.onTokens(tokens)
    return out
  }

  #jitterFactor(): number {
    const { jitter } = this.#playback.settings
    return jitter === 0 ? 1 : 1 + jitter * (2 * this.#random() - 1)
  }

  #send(out: string, now: number): void {
    // Backpressure: waits for a slow client instead of buffering its output.
    if (out !== '' && !this.#res.write(out)) this.#res.once('drain', () => this.#resume())
    else if (this.due > now) this.#playback.ticker.schedule(this, this.due)
    else setImmediate(() => this.#resume())
  }

  #resume(): void {
    if (this.#isOver) return
    const now = performance.now()
    if (this.due > now) this.#playback.ticker.schedule(this, this.due)
    else this.#play(now)
  }

  #finish(out: string): void {
    this.#isOver = true
    this.#res.end(out + this.#wire.end() + (this.#plan.directives.done === false ? '' : DONE))
  }

  #break(kind: FaultKind, out: string): void {
    this.#isOver = true
    if (kind === 'end') this.#res.end(out)
    else if (kind === 'error') this.#res.end(out + errorFrames(this.#playback.engine, FAILURE))
    else tear(this.#res, kind, out)
  }

  #sendWhole(): void {
    this.#isOver = true
    const { engine, onTokens } = this.#playback
    const { scripts } = this.#plan
    const longest = Math.max(...scripts.map(script => script.tokens))
    const fault = this.#fault !== undefined && this.#fault.after <= longest ? this.#fault.kind : undefined
    onTokens(scripts.reduce((sum, script) => sum + script.tokens, 0))
    if (this.#onDetachedEnd !== undefined) return this.#onDetachedEnd()
    if (fault === undefined) return sendJson(this.#res, 200, this.#wire.whole())
    if (fault === 'error') return sendRefusal(this.#res, engine, FAILURE)
    const text = JSON.stringify(this.#wire.whole())
    const half = text.slice(0, text.length >> 1)
    this.#res.writeHead(200, { 'content-type': 'application/json' })
    if (fault === 'end') this.#res.end(half)
    else tear(this.#res, fault, half)
  }
}

type FaultKind = 'break' | 'reset' | 'end' | 'error'

interface Fault {
  readonly kind: FaultKind
  /** Number of tokens that are sent before the fault. */
  readonly after: number
}

const FAILURE = new Refusal(500, 'The engine failed while generating (simulated).')

function faultOf(directives: Directives): Fault | undefined {
  const faults: readonly (readonly [FaultKind, number | undefined])[] = [
    ['break', directives.break_after],
    ['reset', directives.reset_after],
    ['end', directives.end_after],
    ['error', directives.error_after],
  ]
  const found = faults.find(([, after]) => after !== undefined)
  return found === undefined ? undefined : { kind: found[0], after: found[1] ?? 0 }
}

/** Sends `out` and closes the connection, with FIN or with RST. */
function tear(res: ServerResponse, kind: 'break' | 'reset', out: string): void {
  const { socket } = res
  const close = () => {
    if (kind === 'reset') socket?.resetAndDestroy()
    else socket?.destroy()
  }
  if (out === '') close()
  else res.write(out, close)
}
