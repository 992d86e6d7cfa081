import { HotMetric, type HotMetricOptions } from './hot-metric.ts'
import type { Labels, Series } from './series-map.ts'

export interface HotHistogramOptions extends HotMetricOptions {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/** A Prometheus histogram whose labels are resolved once: `labels()` gives the series to keep. */
export type HotHistogram = HotMetric<HotSeries>

/** A Prometheus histogram that is cheap enough to observe on every stream event. */
export function newHotHistogram({ buckets, ...options }: HotHistogramOptions): HotHistogram {
  return new HotMetric(options, {
    type: 'histogram',
    make: (labels, again) => new HotSeries(buckets, labels, again),
    valuesOf: (series, name) => series.values(name),
  })
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
