/** Engines that die under load and restart with empty caches, in virtual time: measures the delay of first tokens. */
import { H100_8B } from '../../simulator/engine-speed.ts'
import type { Policy } from './policies/index.ts'
import type { Sample } from './result.ts'
import { simulate } from './virtual.ts'
import type { Outage } from './virtual-engines.ts'
import { generated } from './workloads.ts'

export interface OutageRun {
  readonly policy: Policy
  readonly workload: string
  readonly engines: number
  readonly requestsPerSecond: number
  readonly seed: number
}

/** Mean times to the first token of the requests in a part of the run, in milliseconds. */
export interface OutageWindow {
  readonly name: string
  readonly requests: number
  readonly mean: number
  /** The mean in the same part of a run with the same requests and no outage. */
  readonly undisturbed: number
}

export interface OutageResult {
  readonly planned: number
  readonly answered: number
  /** Number of requests whose answers had begun on an engine that was killed. */
  readonly lost: number
  readonly windows: readonly OutageWindow[]
}

const SECONDS = 160
/** In milliseconds. Health checks detect the restart up to 5 s later. */
const FROM = 70_000
const UNTIL = 100_000
const WINDOWS: readonly (readonly [name: string, from: number, until: number])[] = [
  ['30 s before', FROM - 30_000, FROM],
  ['while away', FROM, UNTIL],
  ['0–10 s after', UNTIL, UNTIL + 10_000],
  ['10–20 s', UNTIL + 10_000, UNTIL + 20_000],
  ['20–30 s', UNTIL + 20_000, UNTIL + 30_000],
  ['30–60 s', UNTIL + 30_000, UNTIL + 60_000],
]
export const OUTAGE_WINDOWS: readonly string[] = WINDOWS.map(([name]) => name)

/** Half of the engines die after 70 s and restart after 100 s. Time is not compressed. */
export function runOutage({ policy, workload, engines, requestsPerSecond, seed }: OutageRun): OutageResult {
  const planned = Math.round(requestsPerSecond * SECONDS)
  const sessions = generated(workload, planned, requestsPerSecond, seed)
  const run = { policy, sessions, engines, speed: H100_8B, times: 1, seed }
  const outage: Outage = { engines: engines / 2, from: FROM, until: UNTIL }
  const { samples, lost } = simulate({ ...run, disturbance: { outage } })
  const undisturbed = simulate(run).samples
  const windows = WINDOWS.map(([name, from, until]) => {
    const { count, mean } = meanOf(samples, from, until)
    return { name, requests: count, mean, undisturbed: meanOf(undisturbed, from, until).mean }
  })
  return { planned, answered: samples.length, lost, windows }
}

function meanOf(samples: readonly Sample[], from: number, until: number): { count: number; mean: number } {
  const some = samples.filter(({ at }) => at >= from && at < until)
  return { count: some.length, mean: some.reduce((sum, { ttft }) => sum + ttft, 0) / some.length }
}
