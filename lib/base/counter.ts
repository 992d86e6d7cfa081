import type { Counter, Registry } from 'prom-client'
import { type Labels, type Series, SeriesMap } from './series-map.ts'

export interface HotCounterOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** A Prometheus counter whose labels are resolved once (docs/adr/0032). */
export class HotCounter {
  readonly name: string
  readonly help: string
  readonly type = 'counter'
  /** How prom-client aggregates the workers' values. */
  readonly aggregator = 'sum'
  readonly #series: SeriesMap<CounterSeries>

  constructor({ name, help, labelNames }: HotCounterOptions) {
    this.name = name
    this.help = help
    this.#series = new SeriesMap(labelNames, (labels, again) => new CounterSeries(labels, again))
  }

  register(registry: Registry): void {
    // The registry uses only `name`, get() and reset(), but its types require one of prom-client's classes.
    registry.registerMetric(this as unknown as Counter)
  }

  /** The series of these label values, in the order of `labelNames`. Keep it: the lookup is not for the hot path. */
  labels(...values: readonly string[]): CounterSeries {
    return this.#series.of(values)
  }

  remove(labels: Labels): void {
    this.#series.remove(labels)
  }

  async get() {
    const { name, help, type, aggregator } = this
    const values = this.#series.all().flatMap(({ value, labels }) => (value === undefined ? [] : { value, labels }))
    return { name, help, type, aggregator, values }
  }

  reset(): void {
    this.#series.clear()
  }
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
