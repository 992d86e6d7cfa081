import { HotMetric, type HotMetricOptions } from './hot-metric.ts'
import type { Labels, Series } from './series-map.ts'

/** A Prometheus counter whose labels are resolved once: `labels()` gives the series to keep. */
export type HotCounter = HotMetric<CounterSeries>

export function newHotCounter(options: HotMetricOptions): HotCounter {
  return new HotMetric(options, {
    type: 'counter',
    make: (labels, again) => new CounterSeries(labels, again),
    valuesOf: ({ value, labels }) => (value === undefined ? [] : [{ value, labels }]),
  })
}

/** The series of one set of labels. */
export class CounterSeries implements Series {
  isRemoved = false
  readonly labels: Labels
  /** undefined: nothing has been counted. */
  value: number | undefined
  readonly #again: () => CounterSeries

  constructor(labels: Labels, again: () => CounterSeries) {
    this.labels = labels
    this.#again = again
  }

  inc(by = 1): void {
    if (this.isRemoved) this.#again().inc(by)
    else this.value = (this.value ?? 0) + by
  }
}
