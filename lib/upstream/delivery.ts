import { replyTurns } from '../base/turns.ts'

/** Bytes of one response that are passed on in a tick without waiting for a turn: more than a model generates in any tick. */
const BYTES_AT_ONCE = 2048

/** About as many more in a turn: less than a millisecond of work, and few turns for what one read has brought. */
const BYTES_PER_TURN = 32 * 1024

/** A stream that has fallen behind, because the process had to wait for a processor, brings at once what its model has generated meanwhile. */
const BYTES_PER_MS = 200

/** Reads a response. */
interface Reader {
  onData(chunk: Buffer): void
}

/** The call that a response arrives on. */
export interface DeliveryOwner {
  /** Hands the reader a piece that has waited. Does not throw. */
  passLate(chunk: Buffer): void
  /** Nothing waits any more. */
  onCaughtUp(): void
}

/**
 * Passes the pieces of one response on. Where thousands of responses arrive faster than they can be handled, those that bring
 * more than a little in a tick take turns (docs/adr/0065), and accounts after each other: the rest of what has been read waits here,
 * and nothing more is read.
 */
export class Delivery {
  readonly #reader: Reader
  readonly #owner: DeliveryOwner
  readonly #account: string
  readonly #now: () => number
  /** Pieces that wait for their turn, in order. */
  #waiting: Buffer[] = []
  #tick = -1
  /** Bytes that were passed on in this tick. */
  #bytes = 0

  /** Until when what the stream has brought was as much as a model generates, in ms. */
  #since: number

  constructor(reader: Reader, owner: DeliveryOwner, account: string, now: () => number = monotonic) {
    this.#reader = reader
    this.#owner = owner
    this.#account = account
    this.#now = now
    this.#since = now()
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Passes the piece on. False: it waits for its turn, and nothing more should be read until onCaughtUp(). */
  take(chunk: Buffer): boolean {
    if (this.isWaiting) {
      this.#waiting.push(chunk)
      return false
    }
    if (this.#tick !== replyTurns.tick) {
      this.#tick = replyTurns.tick
      this.#bytes = 0
    }
    this.#bytes += chunk.length
    if (this.#bytes <= BYTES_AT_ONCE || this.#keepsPace()) this.#reader.onData(chunk)
    else if (replyTurns.isFree) this.#passMeasured(chunk)
    else this.#wait(chunk)
    return !this.isWaiting
  }

  /** Passes on what waits: the response has broken behind it. */
  flush(): void {
    for (const chunk of this.#waiting.splice(0)) this.#owner.passLate(chunk)
  }

  /** Drops what waits: the rest is not needed. */
  drop(): void {
    this.#waiting = []
  }

  /** What has come in this tick is no more than a model may have generated since this was asked last. */
  #keepsPace(): boolean {
    const now = this.#now()
    const left = Math.min((now - this.#since) * BYTES_PER_MS, BYTES_PER_TURN) - this.#bytes
    if (left < 0) return false
    this.#since = now - left / BYTES_PER_MS
    this.#bytes = 0
    return true
  }

  #passMeasured(chunk: Buffer): void {
    const began = performance.now()
    this.#reader.onData(chunk)
    // Small pieces before this one were not measured: they took as much for each byte.
    replyTurns.add(((performance.now() - began) * this.#bytes) / chunk.length)
    this.#bytes = 0
  }

  #wait(chunk: Buffer): void {
    this.#waiting.push(chunk)
    void replyTurns.next(this.#account).then(this.#onTurn)
  }

  readonly #onTurn = (): void => {
    const chunk = this.#waiting.shift()
    if (chunk === undefined) return
    this.#tick = replyTurns.tick
    this.#since = this.#now()
    // What follows in the same tick, when reading goes on, belongs to this turn.
    this.#bytes = chunk.length - BYTES_PER_TURN
    this.#owner.passLate(chunk)
    if (this.isWaiting) void replyTurns.next(this.#account).then(this.#onTurn)
    else this.#owner.onCaughtUp()
  }
}

function monotonic(): number {
  return performance.now()
}
