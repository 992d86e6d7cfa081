import type { Metric, MetricType, Registry } from 'prom-client'
import { type Labels, type Series, SeriesMap } from './series-map.ts'

export interface HotMetricOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** A value as prom-client's registry shows it. */
interface ShownValue {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  /** Where it is not the metric's own name. */
  readonly metricName?: string
}

/** How one kind of metric differs from the others. */
export interface HotKind<S extends Series> {
  readonly type: `${MetricType}`
  make(labels: Labels, again: () => S): S
  /** Empty where nothing has been counted. */
  valuesOf(series: S, name: string): readonly ShownValue[]
}

/** A Prometheus metric whose labels are resolved once, so that counting is cheap on every event of a stream (docs/adr/0032). */
export class HotMetric<S extends Series> {
  readonly name: string
  readonly help: string
  readonly type: HotKind<S>['type']
  /** How prom-client aggregates the workers' values. */
  readonly aggregator = 'sum'
  readonly #series: SeriesMap<S>
  readonly #kind: HotKind<S>

  constructor({ name, help, labelNames }: HotMetricOptions, kind: HotKind<S>) {
    this.name = name
    this.help = help
    this.type = kind.type
    this.#kind = kind
    this.#series = new SeriesMap(labelNames, (labels, again) => kind.make(labels, again))
  }

  register(registry: Registry): void {
    // The registry uses only `name`, get() and reset(), but its types require one of prom-client's classes.
    registry.registerMetric(this as unknown as Metric)
  }

  /** The series of these label values, in the order of `labelNames`. Keep it: the lookup is not for the hot path. */
  labels(...values: readonly string[]): S {
    return this.#series.of(values)
  }

  remove(labels: Labels): void {
    this.#series.remove(labels)
  }

  async get() {
    const { name, help, type, aggregator } = this
    const values = this.#series.all().flatMap(series => this.#kind.valuesOf(series, name))
    return { name, help, type, aggregator, values }
  }

  reset(): void {
    this.#series.clear()
  }
}
