/** What routing assumes of a model or a backend, learnt from replies. */
export interface Learning {
  /** 0 without samples. */
  readonly value: number
  /** Number of samples that it depends on. */
  readonly count: number
  /** When the value last changed, in monotonic milliseconds; 0: never. */
  readonly movedAt: number
}

/** Above this many samples, only every eighth one updates the quantile: sorting is the largest part of the work. */
const ALWAYS_SORTED = 16
const SORTED_EVERY = 8

/** A quantile of the last samples of a measurement. */
export class RecentQuantile implements Learning {
  readonly #ring: Float64Array
  readonly #share: number
  #added = 0
  #value = 0
  #movedAt = 0

  /** `size`: number of samples that are kept; `share`: 0.5 for the median. */
  constructor(size: number, share: number) {
    this.#ring = new Float64Array(size)
    this.#share = share
  }

  get value(): number {
    return this.#value
  }

  get count(): number {
    return Math.min(this.#added, this.#ring.length)
  }

  get movedAt(): number {
    return this.#movedAt
  }

  add(sample: number, now: number): void {
    this.#ring[this.#added++ % this.#ring.length] = sample
    if (this.#added > ALWAYS_SORTED && this.#added % SORTED_EVERY !== 0) return
    const { count } = this
    const value = this.#ring.slice(0, count).sort()[Math.min(count - 1, Math.floor(this.#share * count))]!
    if (value !== this.#value) this.#movedAt = now
    this.#value = value
  }
}

/** A mean in which a new value has the weight `weight`. The first value is the mean. */
export class MovingMean {
  readonly #weight: number
  #count = 0
  #value = 0

  constructor(weight: number) {
    this.#weight = weight
  }

  /** 0 without values. */
  get value(): number {
    return this.#value
  }

  add(value: number): void {
    this.#value += this.#count++ === 0 ? value : this.#weight * (value - this.#value)
  }
}

/** Part of the way to a smaller value. */
const FALL = 0.2
/** Maximum rise in an hour. Hours at full load must not change what quiet hours have shown. */
const RISE_PER_HOUR = 1.05
const HOUR_MS = 3_600_000

/** The minimum of samples that are never below the true value. It falls quickly and rises slowly. */
export class SlowMinimum implements Learning {
  #count = 0
  #value = 0
  #addedAt = 0
  #movedAt = 0

  get value(): number {
    return this.#value
  }

  get count(): number {
    return this.#count
  }

  get movedAt(): number {
    return this.#movedAt
  }

  add(sample: number, now: number): void {
    const value = this.#count++ === 0 ? sample : this.#toward(sample, now)
    if (value !== this.#value) this.#movedAt = now
    this.#value = value
    this.#addedAt = now
  }

  #toward(sample: number, now: number): number {
    if (sample < this.#value) return this.#value + FALL * (sample - this.#value)
    return Math.min(sample, this.#value * RISE_PER_HOUR ** ((now - this.#addedAt) / HOUR_MS))
  }
}

/** A sum in which each value loses weight with time: after `ms` it counts 1 / e. */
export class FadingSum {
  readonly #ms: number
  #value = 0
  #at = 0

  constructor(ms: number) {
    this.#ms = ms
  }

  at(now: number): number {
    return faded(this.#value, now - this.#at, this.#ms)
  }

  add(value: number, now: number): void {
    this.#value = this.at(now) + value
    this.#at = now
  }
}

/** The rest of a FadingSum after `ageMs`. */
export function faded(value: number, ageMs: number, ms: number): number {
  return value === 0 ? 0 : value * Math.exp(-Math.max(0, ageMs) / ms)
}
