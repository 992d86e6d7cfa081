import { RoundRobin } from './round-robin.ts'

/** Time of the event loop in one tick that long work of all exchanges together may take, in ms. */
const TICK_MS = 4

/**
 * The same for bodies of requests, which may arrive for seconds: streams wait for each of these ticks. With 4 ms their gaps grew by 11 to 14 ms
 * beside large bodies, with 1 by 6 to 9 (docs/BENCHMARKS.md).
 */
const BODY_TICK_MS = 1

/** The same in a tick in which a connection has come: the next one is accepted in the next tick. */
const ARRIVAL_MS = 0.5

/** Most ticks without a turn after one that has taken too long. */
const MOST_TICKS = 8

/** Waiting work has at least one turn in this time, however many connections come: on a busy machine each tick brings some. */
const LONGEST_MS = 100

/**
 * Shares the event loop of this thread by time: long work takes turns, all exchanges together for a few milliseconds of each
 * tick, and then everything else has its turn (docs/adr/0044). Turns go round the accounts that wait (docs/adr/0070).
 */
export class Turns {
  readonly #tickMs: number
  readonly #least: number
  readonly #waiting = new RoundRobin<() => void>()
  #ticks = 0
  /** Time that was spent in this tick. */
  #spent = 0
  /** Most time in this tick. */
  #limit: number
  #isArmed = false
  /** A connection has been accepted since the last tick. */
  #hasArrivals = false
  /** Turns that were served in this tick. */
  #served = 0
  /** When the current turn of #serve() began. */
  #began = 0

  /**
   * `tickMs`: time of all turns of a tick together. `least`: how many are served in each tick even so, where turns are short: on a
   * machine that has other work the clock runs on while this process waits for a processor.
   */
  constructor(tickMs: number = TICK_MS, least = 0) {
    this.#tickMs = tickMs
    this.#limit = tickMs
    this.#least = least
  }

  /** True where work may begin at once, with now() and spend(); otherwise it waits for next(). */
  get isFree(): boolean {
    return this.#spent < this.#limit && this.#waiting.isEmpty
  }

  /** Changes with each tick in which there has been work. */
  get tick(): number {
    return this.#ticks
  }

  /** Reports work that began at `from`, in ms of performance.now(). */
  spend(from: number): void {
    this.add(performance.now() - from)
  }

  /** Reports work that took so long, in ms. */
  add(ms: number): void {
    this.#spent += ms
    this.#arm()
  }

  /**
   * A connection has been accepted. Node accepts one in a tick, so that behind a thousand of them the next one waits for a
   * thousand ticks: until no more come, ticks are short.
   */
  arrived(): void {
    this.#hasArrivals = true
    this.#arm()
  }

  /** Does short work at once where there is time left in this tick, otherwise when it is its turn. It must not throw. */
  run(work: () => void, account = ''): void {
    if (!this.isFree) return void this.next(account).then(work)
    const began = performance.now()
    work()
    this.spend(began)
  }

  /**
   * Resolves when it is the caller's turn, never in the same tick. The work that follows without waiting is its turn. `isFirst`: before all
   * others of its account.
   */
  next(account = '', isFirst = false): Promise<void> {
    this.#arm()
    return new Promise(resolve => this.#waiting.add(account, resolve, isFirst))
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#tick)
  }

  readonly #tick = (): void => {
    this.#isArmed = false
    this.#begin()
    this.#served = 0
    this.#ticks++
    this.#serve()
  }

  #begin(): void {
    const limit = this.#hasArrivals ? ARRIVAL_MS : this.#tickMs
    // A turn may take longer than a tick has for it, with a collection of garbage ten times as long: the next ticks do without, so that
    // everything else has most of the time.
    this.#spent = Math.min(Math.max(this.#spent - this.#limit, 0), MOST_TICKS * limit)
    this.#limit = limit
    // One more tick, in which this is over, or which finds that no more connections have come.
    if (this.#spent > 0 || this.#hasArrivals) this.#arm()
    this.#hasArrivals = false
  }

  readonly #serve = (): void => {
    if (this.#waiting.isEmpty) return
    if (this.#spent >= this.#limit && this.#served >= this.#leastNow()) return this.#arm()
    this.#served++
    const turn = this.#waiting.take()
    this.#began = performance.now()
    turn()
    // Behind everything that this turn does in microtasks: that is its work.
    queueMicrotask(this.#later)
  }

  #leastNow(): number {
    if (this.#limit === this.#tickMs) return this.#least
    return performance.now() - this.#began >= LONGEST_MS ? this.#served + 1 : 0
  }

  readonly #later = (): void => {
    process.nextTick(this.#after)
  }

  readonly #after = (): void => {
    this.#spent += performance.now() - this.#began
    this.#serve()
  }
}

/** For bodies of requests. Of this thread, as all of them. */
export const turns = new Turns(BODY_TICK_MS)

/** For replies, whose turns are short: they do not wait until large bodies have been read. */
export const replyTurns = new Turns(TICK_MS, 16)

/** For requests that begin. */
export const requestTurns = new Turns()

/** Waits for a turn on the event loop: to be called between pieces of long work. */
export function nextTurn(): Promise<void> {
  return turns.next()
}

/** Of one turn of long work, in ms. */
const STINT_MS = 2

/** Long work in small steps that are of very different cost: `if (stint.isOver) await stint.next()` between them shares by time. */
export class Stint {
  readonly #ms: number
  #began = performance.now()

  /** `ms`: how long it works before it waits for its next turn. */
  constructor(ms: number = STINT_MS) {
    this.#ms = ms
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= this.#ms
  }

  /** Waits for a turn. */
  async next(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}

/** To be called for each connection that has been accepted. */
export function connectionArrived(): void {
  turns.arrived()
  replyTurns.arrived()
  requestTurns.arrived()
}
