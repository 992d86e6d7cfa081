/** Time of the event loop in one tick that long work of all exchanges together may take, in ms. */
const TICK_MS = 4

/**
 * Shares the event loop of this thread by time: long work takes turns, all exchanges together for a few milliseconds of each
 * tick, and then everything else has its turn (docs/adr/0044).
 */
export class Turns {
  readonly #tickMs: number
  readonly #least: number
  readonly #waiting = new Set<() => void>()
  #ticks = 0
  /** Time that was spent in this tick. */
  #spent = 0
  #isArmed = false
  /** Turns that were served in this tick. */
  #served = 0
  /** When the current turn of #serve() began. */
  #began = 0

  /**
   * `tickMs`: time of all turns of a tick together. `least`: so many are served in each tick even so; more than one where turns are
   * short: on a machine that has other work the clock runs on while this process waits for a processor.
   */
  constructor(tickMs: number = TICK_MS, least = 1) {
    this.#tickMs = tickMs
    this.#least = least
  }

  /** True where work may begin at once, with now() and spend(); otherwise it waits for next(). */
  get isFree(): boolean {
    return this.#spent < this.#tickMs && this.#waiting.size === 0
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

  /** Does short work at once where there is time left in this tick, otherwise when it is its turn. It must not throw. */
  run(work: () => void): void {
    if (!this.isFree) return void this.next().then(work)
    const began = performance.now()
    work()
    this.spend(began)
  }

  /** Resolves when it is the caller's turn, never in the same tick. The work that follows without waiting is its turn. */
  next(): Promise<void> {
    this.#arm()
    return new Promise(resolve => this.#waiting.add(resolve))
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#tick)
  }

  readonly #tick = (): void => {
    this.#isArmed = false
    this.#spent = 0
    this.#served = 0
    this.#ticks++
    this.#serve()
  }

  readonly #serve = (): void => {
    const [turn] = this.#waiting
    if (turn === undefined) return
    if (this.#spent >= this.#tickMs && this.#served >= this.#least) return this.#arm()
    this.#served++
    this.#waiting.delete(turn)
    this.#began = performance.now()
    turn()
    // Behind everything that this turn does in microtasks: that is its work.
    queueMicrotask(this.#later)
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
export const turns = new Turns()

/** For replies, whose turns are short: they do not wait until large bodies have been read. */
export const replyTurns = new Turns(TICK_MS, 16)

/** Waits for a turn on the event loop: to be called between pieces of long work. */
export function nextTurn(): Promise<void> {
  return turns.next()
}
