/**
 * A gateway in a process of its own that tells how late its event loop runs: streams must not notice what is asked of
 * the store. Started by loop.ts.
 */
import { execFileSync } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { type Gateway, startGateway } from '../../lib/process/gateway.ts'
import { answer } from '../helper.ts'
import { HELPER_CORE, TARGET_CORE } from '../processes.ts'

/** In milliseconds, beyond the one at which the loop is looked at. */
export interface Delay {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const RESOLUTION_MS = 1

// Threads of the process, those of SQLite among them, may use any core, as they would elsewhere.
execFileSync('taskset', ['-acp', `${HELPER_CORE},${TARGET_CORE}`, String(process.pid)])

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
let gateway: Gateway | undefined

const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

answer({
  /** Answers the port. */
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
