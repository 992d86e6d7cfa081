import type { Histogram, Registry } from 'prom-client'

export interface HotHistogramOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/** A Prometheus histogram that is cheap enough to observe on every stream event: labels are resolved once (docs/adr/0032). */
export class HotHistogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  /** How prom-client aggregates the workers' values. */
  readonly aggregator = 'sum'
  readonly #labelNames: readonly string[]
  readonly #buckets: readonly number[]
  readonly #series = new Map<string, HotSeries>()

  constructor({ name, help, labelNames, buckets }: HotHistogramOptions) {
    this.name = name
    this.help = help
    this.#labelNames = labelNames
    this.#buckets = buckets
  }

  register(registry: Registry): void {
    // The registry uses only `name`, get() and reset(), but its types require one of prom-client's classes.
    registry.registerMetric(this as unknown as Histogram)
  }

  /** The series of these label values, in the order of `labelNames`. Keep it: the lookup is not for the hot path. */
  labels(...values: readonly string[]): HotSeries {
    const key = JSON.stringify(values)
    let series = this.#series.get(key)
    if (series === undefined) {
      series = new HotSeries(this.#buckets, Object.fromEntries(this.#labelNames.map((name, i) => [name, values[i]!])))
      this.#series.set(key, series)
    }
    return series
  }

  async get() {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: [...this.#series.values()].flatMap(series => series.values(name)) }
  }

  reset(): void {
    this.#series.clear()
  }
}

/** The series of one set of labels. */
export class HotSeries {
  readonly #bounds: readonly number[]
  readonly #labels: Readonly<Record<string, string>>
  /** Count per bucket; the last one is +Inf. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[], labels: Readonly<Record<string, string>>) {
    this.#bounds = bounds
    this.#labels = labels
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++
    this.#counts[bucket]!++
    this.#sum += value
  }

  /** The values in prom-client's form: cumulative buckets, sum and count. */
  values(name: string) {
    let count = 0
    const buckets = Array.from(this.#counts, (own, i) => {
      count += own
      const le = i < this.#bounds.length ? this.#bounds[i]! : '+Inf'
      return { metricName: `${name}_bucket`, value: count, labels: { le, ...this.#labels } }
    })
    if (count === 0) return []
    return [
      ...buckets,
      { metricName: `${name}_sum`, value: this.#sum, labels: this.#labels },
      { metricName: `${name}_count`, value: count, labels: this.#labels },
    ]
  }
}
