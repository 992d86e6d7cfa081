import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client'

/** Milliseconds between two checks of the event loop's delay. */
const EVENT_LOOP_CHECK_MS = 20

interface Labelled {
  readonly labels: Readonly<Record<string, string>>
}

/** Classes of metrics whose values only increase. */
const COUNTING = [Counter, Histogram]

interface Counting {
  get(): Promise<{ readonly values: readonly Labelled[] }>
  remove(labels: Readonly<Record<string, string>>): void
}

/** Prometheus metrics. Each method returns the existing metric of that name, so that counters survive a reload. */
export class Metrics {
  readonly registry: Registry = new Registry()

  counter<L extends string = never>(options: CounterConfiguration<L>): Counter<L> {
    return (
      (this.#existing(options.name) as Counter<L> | undefined) ??
      new Counter({ ...options, registers: [this.registry] })
    )
  }

  gauge<L extends string = never>(options: GaugeConfiguration<L>): Gauge<L> {
    return (
      (this.#existing(options.name) as Gauge<L> | undefined) ?? new Gauge({ ...options, registers: [this.registry] })
    )
  }

  histogram<L extends string = never>(options: HistogramConfiguration<L>): Histogram<L> {
    return (
      (this.#existing(options.name) as Histogram<L> | undefined) ??
      new Histogram({ ...options, registers: [this.registry] })
    )
  }

  /** Registers memory, CPU, garbage collection and event-loop delay of this process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_CHECK_MS })
    // prom-client exports these gauges under names of counters. The same values by type remain.
    for (const kind of ['handles', 'requests', 'resources']) {
      this.registry.removeSingleMetric(`nodejs_active_${kind}_total`)
    }
  }

  /** Removes all counters and histograms with these labels, for names such as backends that change at run time. */
  async forget(labels: Readonly<Record<string, string>>): Promise<void> {
    const wanted = Object.entries(labels)
    for (const { name } of this.registry.getMetricsAsArray()) {
      const metric = this.#existing(name)
      if (!COUNTING.some(type => metric instanceof type)) continue
      const counting = metric as Counting
      for (const {
        labels: { le: _, ...found },
      } of (await counting.get()).values) {
        if (wanted.every(([label, value]) => found[label] === value)) counting.remove(found)
      }
    }
  }

  #existing(name: string): unknown {
    return this.registry.getSingleMetric(name)
  }
}
