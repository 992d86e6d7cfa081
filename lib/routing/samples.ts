/** Above this many samples, quantiles follow every eighth one: sorting costs more than all else of a decision. */
const FEW = 16
const EVERY = 8

/** The last numbers of a measurement, and their quantiles. */
export class Samples {
  readonly #ring: Float64Array
  #count = 0
  #sorted: Float64Array | null = null

  constructor(size: number) {
    this.#ring = new Float64Array(size)
  }

  /** Numbers that are kept. */
  get count(): number {
    return Math.min(this.#count, this.#ring.length)
  }

  add(value: number): void {
    this.#ring[this.#count++ % this.#ring.length] = value
    if (this.#count <= FEW || this.#count % EVERY === 0) this.#sorted = null
  }

  /** 0 where there are none. */
  quantile(share: number): number {
    const { count } = this
    if (count === 0) return 0
    this.#sorted ??= this.#ring.slice(0, count).sort()
    const { length } = this.#sorted
    return this.#sorted[Math.min(length - 1, Math.floor(share * length))]!
  }
}
