import type { Histogram, Registry } from 'prom-client'
import { type Labels, type Series, SeriesMap } from './series-map.ts'

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
  readonly #series: SeriesMap<HotSeries>

  constructor({ name, help, labelNames, buckets }: HotHistogramOptions) {
    this.name = name
    this.help = help
    this.#series = new SeriesMap(labelNames, (labels, again) => new HotSeries(buckets, labels, again))
  }

  register(registry: Registry): void {
    // The registry uses only `name`, get() and reset(), but its types require one of prom-client's classes.
    registry.registerMetric(this as unknown as Histogram)
  }

  /** The series of these label values, in the order of `labelNames`. Keep it: the lookup is not for the hot path. */
  labels(...values: readonly string[]): HotSeries {
    return this.#series.of(values)
  }

  remove(labels: Labels): void {
    this.#series.remove(labels)
  }

  async get() {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: this.#series.all().flatMap(series => series.values(name)) }
  }

  reset(): void {
    this.#series.clear()
  }
}

/** The series of one set of labels. */
export class HotSeries implements Series {
  isRemoved = false
  readonly #bounds: readonly number[]
  readonly #labels: Labels
  /** Count per bucket; the last one is +Inf. */
  readonly #counts: Float64Array
  #sum = 0
  readonly #again: () => HotSeries

  constructor(bounds: readonly number[], labels: Labels, again: () => HotSeries) {
    this.#bounds = bounds
    this.#labels = labels
    this.#counts = new Float64Array(bounds.length + 1)
    this.#again = again
  }

  observe(value: number): void {
    if (this.isRemoved) return this.#again().observe(value)
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
