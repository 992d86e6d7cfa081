import type { IncomingMessage } from 'node:http'
import { turns } from '../base/turns.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import type { BodyCharge } from './budget.ts'
import type { Intake } from './intake.ts'
import type { ReadBody } from './request-body.ts'
import type { ReadingWatch, WatchedReading } from './watch.ts'

/** Bytes that are handled before other streams are served: the kernel may deliver two megabytes at once, 10 ms of work. */
const BURST_BYTES = 128 * 1024
/** What reading them takes, about: it comes after the turn. */
const BURST_MS = 0.2

/** What a body may hold of the memory and of the event loop. */
export interface ReadingHost {
  /** The charge of the body. The caller releases it. */
  readonly charge: BodyCharge
  readonly watch: ReadingWatch
}

/** The client has disconnected. */
export const cutOff = () => failure('invalid_json_request', { problem: 'The body ended too early.' })

/** One body on its way in. */
export class Reading implements WatchedReading {
  received = 0
  isWaiting = false
  readonly #req: IncomingMessage
  readonly #limit: number
  readonly #body: Intake
  readonly #charge: BodyCharge
  /** Bytes and weight that have been charged. */
  #charged: number
  readonly #reserved: number
  #isSettled = false
  #paused: Promise<void> | undefined
  #burst = 0
  #resolve!: (read: ReadBody) => void
  #reject!: (refusal: unknown) => void
  #offBroken!: () => void
  #offWatch!: () => void

  constructor(req: IncomingMessage, limit: number, body: Intake, charge: BodyCharge, reserved: number) {
    this.#req = req
    this.#limit = limit
    this.#body = body
    this.#charge = charge
    this.#reserved = reserved
    this.#charged = reserved
  }

  run(watch: ReadingWatch): Promise<ReadBody> {
    const req = this.#req
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#offBroken = onBodyBroken(req, this.#onBroken)
      this.#offWatch = watch.add(this)
      req.on('data', this.#onData)
      req.on('end', this.#onEnd)
      req.on('close', this.#onClose)
      // `close` follows and is handled there; without this listener Node throws. A closure would keep the body in memory.
      req.on('error', ignore)
      if (brokenBodyError(req) !== undefined) this.#onBroken()
      else if (req.destroyed) this.#onClose()
    })
  }

  /** Nothing has come for too long. */
  stalled(): void {
    this.#refuse(failure('http_408', {}))
  }

  #settle(): void {
    this.#isSettled = true
    this.#offBroken()
    this.#offWatch()
    const req = this.#req
    req.off('data', this.#onData)
    req.off('end', this.#onEnd)
    req.off('close', this.#onClose)
  }

  #refuse(refusal: unknown): void {
    if (this.#isSettled) return
    this.#settle()
    // The memory is given back now, and it may wait for a turn.
    this.#body.discard()
    this.#reject(refusal)
  }

  // The client disconnected: the exchange ends by itself, and this refusal is not sent.
  readonly #onClose = (): void => this.#refuse(cutOff())

  readonly #onBroken = (): void => this.#refuse(brokenBodyError(this.#req)!)

  readonly #onData = (chunk: Buffer): void => {
    this.received += chunk.length
    if (this.received > this.#limit) return this.#refuse(failure('request_body_too_large', { limit: this.#limit }))
    // One of unknown length is charged as it comes.
    const waiting = this.#grow(this.received + this.#body.weight)
    if (this.#isSettled) return
    const parts = this.#body.split(chunk)
    let next = 0
    while (waiting === undefined && next < parts.length && (!this.#parses || turns.isFree)) {
      const began = this.#parses ? performance.now() : 0
      const more = this.#take(parts[next++]!)
      if (this.#isSettled) return
      if (began > 0) turns.spend(began)
      if (more !== undefined) return this.#pause(this.#taken(parts.slice(next), more))
    }
    if (next < parts.length) this.#pause(this.#taken(parts.slice(next), waiting))
    else this.#endBurst(chunk.length)
  }

  /** Adding to the body takes a turn. */
  get #parses(): boolean {
    return this.#body.isLarge && !this.#body.isDense
  }

  /** Takes the parts when there is memory and time for them. */
  async #taken(parts: Iterable<Buffer>, waiting: Promise<void> | undefined): Promise<void> {
    if (waiting !== undefined) await waiting
    let isBegun = false
    for (const part of parts) {
      // A whole body that has begun is parsed to its end: those of its account that come together would all have their values at once.
      await turns.next(this.#charge.accountId, isBegun && this.#body.isWhole)
      isBegun = true
      // After its end nothing else would tell that nobody waits for it.
      if (this.#req.socket.destroyed) this.#onClose()
      if (this.#isSettled) return
      await this.#take(part)
    }
  }

  /** Returns what has to be waited for before more is taken. */
  #take(part: Buffer): Promise<void> | undefined {
    try {
      this.#body.add(part)
    } catch (refusal) {
      return void this.#refuse(refusal)
    }
    return this.#grow(this.received + this.#body.weight)
  }

  #endBurst(bytes: number): void {
    this.#burst += bytes
    if (this.#burst < BURST_BYTES) return
    this.#burst = 0
    if (this.#body.isDense) return this.#pause(this.#burstTurn())
    this.#req.pause()
    setImmediate(this.#resume)
  }

  /** Hundreds of bodies that are only kept, and so take no turns for parsing, would read 128 KB each in every tick. */
  async #burstTurn(): Promise<void> {
    await turns.next(this.#charge.accountId)
    turns.add(BURST_MS)
  }

  /**
   * Charges up to this many bytes. Refuses the body where it cannot have them at all. What is still to be parsed is expected to
   * weigh as much as what has been: bodies that grow step by step beside each other would all end half-read.
   */
  #grow(bytes: number): Promise<void> | undefined {
    if (bytes <= this.#charged) return undefined
    this.#charged = Math.max(bytes, Math.min(this.#expected, this.#charge.most))
    try {
      return this.#charge.grow(this.#charged - this.#charge.held)
    } catch (refusal) {
      return void this.#refuse(refusal)
    }
  }

  get #expected(): number {
    // It is charged for its rest when that is parsed.
    if (this.#body.isDense) return 0
    const length = this.#body.isWhole ? this.received : this.#reserved
    return length * (1 + this.#body.weight / Math.max(1, this.#body.size))
  }

  /** Reads nothing before `until` has resolved. */
  #pause(until: Promise<void>): void {
    this.#req.pause()
    this.isWaiting = true
    this.#paused = until
    until.then(
      () => {
        this.isWaiting = false
        this.#resume()
      },
      refusal => this.#refuse(refusal),
    )
  }

  readonly #resume = (): void => {
    if (!this.#isSettled && !this.isWaiting) this.#req.resume()
  }

  readonly #onEnd = (): void => {
    // `close` follows a complete body too.
    this.#req.off('close', this.#onClose)
    this.#offWatch()
    if (this.#body.isLarge) return void this.#endInTurn()
    try {
      const read = this.#body.end()
      const waiting = this.#grow(read.size + read.weight)
      if (waiting === undefined) this.#done(read)
      else
        waiting.then(
          () => this.#done(read),
          refusal => this.#refuse(refusal),
        )
    } catch (refusal) {
      this.#refuse(refusal)
    }
  }

  /** Node tells the end when all has been read, although parts may wait for memory and turns. */
  async #endInTurn(): Promise<void> {
    try {
      await this.#paused
      await this.#taken(this.#body.rest(), undefined)
      if (this.#isSettled) return
      await turns.next(this.#charge.accountId, true)
      if (this.#isSettled) return
      this.#done(this.#body.end())
    } catch (refusal) {
      this.#refuse(refusal)
    }
  }

  #done(read: ReadBody): void {
    if (this.#isSettled) return
    this.#settle()
    this.#charge.shrinkTo(read.size + read.weight)
    this.#resolve(read)
  }
}

function ignore(): void {}

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')

/** Ends a body that the HTTP parser cannot continue: Node reports that to the server only, not on the request. */
export function breakBody(req: IncomingMessage, error: GatewayError): void {
  errors.set(req, error)
  req.emit(BROKEN)
}

/** Why the body cannot be read to its end; undefined as long as it can. */
export function brokenBodyError(req: IncomingMessage): GatewayError | undefined {
  return errors.get(req)
}

/** Calls `then` when the body breaks; returns a function that removes the listener. */
export function onBodyBroken(req: IncomingMessage, then: () => void): () => void {
  req.once(BROKEN, then)
  return () => req.off(BROKEN, then)
}
