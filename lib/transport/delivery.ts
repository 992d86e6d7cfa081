import { nextTurn } from '../base/long-work.ts'

/**
 * Bytes of a response that are handled before other work has its turn. A stream of tokens takes minutes to bring as many.
 * Sixty backends that send without a pause keep the event loop for 450 ms at a time without turns, and for 40 ms with them.
 */
const TURN_BYTES = 64 * 1024

/**
 * Bytes that are held before the connection is told to stop. Without them, undici reads 64 KB further each time that it reads
 * on, however little its reader takes: a client that takes 4 KB at a time lets 3.7 MB of a reply gather.
 */
const MAX_HELD_BYTES = 64 * 1024

/** Where the pieces come from. */
export interface DeliverySource {
  stopReading(): void
  readOn(): void
}

/** Hands the pieces of a response to their reader, in turns with other work, and holds them while the reader is paused. */
export class Delivery {
  readonly #source: DeliverySource
  readonly #hand: (chunk: Buffer) => void
  #held: Buffer[] = []
  #heldBytes = 0
  /** Bytes since the last turn. */
  #turnBytes = 0
  #isPaused = false
  #waitsForTurn = false
  #isStopped = false
  #isClosed = false
  #atEnd: (() => void) | undefined

  /** `hand` does not throw. */
  constructor(source: DeliverySource, hand: (chunk: Buffer) => void) {
    this.#source = source
    this.#hand = hand
  }

  take(chunk: Buffer): void {
    if (this.#isClosed) return
    if (!this.#isPaused && !this.#waitsForTurn) return this.#pass(chunk)
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < MAX_HELD_BYTES || this.#isStopped) return
    this.#isStopped = true
    this.#source.stopReading()
  }

  /** No piece follows. Calls `atEnd` behind the last one. */
  end(atEnd: () => void): void {
    if (this.#held.length === 0) atEnd()
    else this.#atEnd = atEnd
  }

  /** Nothing is handed to the reader before resume(). */
  pause(): void {
    this.#isPaused = true
  }

  /** Goes on in a later tick. */
  resume(): void {
    this.#isPaused = false
    void this.#waitForTurn()
  }

  /** Drops what is held, and hands over nothing more. */
  close(): void {
    this.#isClosed = true
    this.#held = []
    this.#atEnd = undefined
  }

  #pass(chunk: Buffer): void {
    this.#hand(chunk)
    this.#turnBytes += chunk.length
    if (this.#turnBytes >= TURN_BYTES) void this.#waitForTurn()
  }

  async #waitForTurn(): Promise<void> {
    if (this.#waitsForTurn) return
    this.#waitsForTurn = true
    await nextTurn()
    this.#waitsForTurn = false
    this.#turnBytes = 0
    this.#passHeld()
  }

  #passHeld(): void {
    while (this.#held.length > 0 && !this.#isPaused && !this.#waitsForTurn) {
      const chunk = this.#held.shift()!
      this.#heldBytes -= chunk.length
      this.#pass(chunk)
    }
    if (this.#held.length > 0 || this.#isPaused || this.#isClosed) return
    const atEnd = this.#atEnd
    this.#atEnd = undefined
    if (atEnd !== undefined) atEnd()
    else if (this.#isStopped) {
      this.#isStopped = false
      this.#source.readOn()
    }
  }
}
