/** A gateway process that measures the delay of its event loop during queries of the store. Started by loop.ts. */
import { execFileSync } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { type Gateway, startGateway } from '../../lib/process/gateway.ts'
import { serveCalls } from '../helper.ts'
import { HELPER_CORE, TARGET_CORE } from '../processes.ts'

/** Delays in milliseconds, in addition to the interval of the measurement. */
export interface Delay {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const RESOLUTION_MS = 1

// All threads of the process, including SQLite's, may use any core, as in production.
execFileSync('taskset', ['-acp', `${HELPER_CORE},${TARGET_CORE}`, String(process.pid)])

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
let gateway: Gateway | undefined

const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

serveCalls({
  /** Returns the port. */
  async start({ config, dir }: { readonly config: JsonObject; readonly dir: string }): Promise<number> {
    gateway = await startGateway(parseConfig(JSON.stringify(config), { baseDir: dir, env: {}, fileName: 'bench.json' }))
    return Number(new URL(gateway.url).port)
  },
  reset: () => delay.reset(),
  delay: (): Delay => ({
    p50Ms: beyond(delay.percentile(50)),
    p99Ms: beyond(delay.percentile(99)),
    maxMs: beyond(delay.max),
  }),
  stop: () => gateway?.drain(),
})
