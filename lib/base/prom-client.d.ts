/**
 * The parts of prom-client that a start loads. They are imported one by one: the package's entry also loads summaries, a client of
 * the push gateway and, for exemplars of one metric, OpenTelemetry's API, 58 modules more.
 */

declare module 'prom-client/lib/counter.js' {
  import { Counter } from 'prom-client'
  export default Counter
}

declare module 'prom-client/lib/gauge.js' {
  import { Gauge } from 'prom-client'
  export default Gauge
}

declare module 'prom-client/lib/histogram.js' {
  import { Histogram } from 'prom-client'
  export default Histogram
}

declare module 'prom-client/lib/registry.js' {
  import { Registry } from 'prom-client'
  export default Registry
}

/** Registers some of the metrics of a process. */
declare module 'prom-client/lib/metrics/*.js' {
  import type { DefaultMetricsCollectorConfiguration, Registry, RegistryContentType } from 'prom-client'
  export default function collect(
    registry: Registry,
    options?: DefaultMetricsCollectorConfiguration<RegistryContentType>,
  ): void
}
