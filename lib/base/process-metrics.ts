/// <reference path="./prom-client.d.ts" />
/** Metrics of a Node process, under the names that prom-client gives them. */
import type { Registry } from 'prom-client'
import Counter from 'prom-client/lib/counter.js'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import gc from 'prom-client/lib/metrics/gc.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import heapSpacesSizeAndUsed from 'prom-client/lib/metrics/heapSpacesSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processHandles from 'prom-client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from 'prom-client/lib/metrics/processRequests.js'
import processResources from 'prom-client/lib/metrics/processResources.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'

const COLLECTORS = [
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  version,
  gc,
]

/** Milliseconds between two looks at the delay of the event loop. */
const eventLoopMonitoringPrecision = 20

/** Registers what prom-client's collectDefaultMetrics() does. */
export function collectProcessMetrics(registry: Registry): void {
  collectCpu(registry)
  for (const collect of COLLECTORS) collect(registry, { eventLoopMonitoringPrecision })
}

/** prom-client's own would load OpenTelemetry's API for exemplars, which nobody asks for. */
function collectCpu(registry: Registry): void {
  const registers = [registry]
  let last = process.cpuUsage()
  new Counter({
    name: 'process_cpu_user_seconds_total',
    help: 'Total user CPU time spent in seconds.',
    registers,
    // The counters after it are shown after it: this one sets all three.
    collect() {
      const now = process.cpuUsage()
      const user = (now.user - last.user) / 1e6
      const used = (now.system - last.system) / 1e6
      last = now
      this.inc(user)
      system.inc(used)
      both.inc(user + used)
    },
  })
  const system = new Counter({
    name: 'process_cpu_system_seconds_total',
    help: 'Total system CPU time spent in seconds.',
    registers,
  })
  const both = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers,
  })
}
