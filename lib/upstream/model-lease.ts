/** One in-flight request of a model. */
export class ModelLease {
  readonly #counted: { inFlight: number }
  readonly #onReleased: () => void
  #released = false

  constructor(counted: { inFlight: number }, onReleased: () => void) {
    counted.inFlight++
    this.#counted = counted
    this.#onReleased = onReleased
  }

  /** Only the first call counts. */
  release(): void {
    if (this.#released) return
    this.#released = true
    this.#counted.inFlight--
    this.#onReleased()
  }
}
