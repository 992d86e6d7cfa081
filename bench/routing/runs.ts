/** The runs of the routing benchmark: their requests, and their results in virtual time. */
import { type EngineSpeed, faster, H100_8B } from '../../simulator/engine-speed.ts'
import type { Options } from './options.ts'
import type { Policy } from './policies/index.ts'
import { type Result, resultOf } from './result.ts'
import { readTrace } from './trace.ts'
import { simulate } from './virtual.ts'
import type { VirtualGatewaysOptions } from './virtual-gateways.ts'
import { generated, type Session } from './workloads.ts'

/** Requests per second for four engines. At this rate, the oracle serves nearly all in time. */
export const RATES: Readonly<Record<string, number>> = {
  chat: 28,
  agent: 3.5,
  rag: 6,
  tenants: 45,
  none: 9,
  trace: 2.4,
}
/** Workloads of the outage, and of the run with two processes over HTTP. */
export const SMALL: readonly string[] = ['chat', 'rag', 'tenants']
const ONE_PROCESS = { count: 1, sticky: false, sharedAfterMs: undefined }

export interface Workload {
  readonly name: string
  readonly engines: number
  readonly sessions: readonly Session[]
}

/** `requests`: per run; default: as many as the rate gives in the seconds of a run. */
export function* workloadsOf(options: Options, requests?: number): Iterable<Workload> {
  const { times, seconds, seed, trace } = options
  for (const engines of options.engines) {
    for (const name of options.workloads.filter(one => one in RATES)) {
      const rate = (RATES[name]! * engines) / 4
      const count = requests ?? Math.min(options.requests, Math.round(rate * times * seconds))
      if (name !== 'trace') {
        yield { name, engines, sessions: generated(name, count, rate, seed) }
        continue
      }
      const at = readTrace(trace!, count, 1).at(-1)!.at
      yield { name, engines, sessions: readTrace(trace!, count, (rate * at) / 1000 / count) }
    }
  }
}

export function virtual(
  options: Options,
  { sessions, engines }: Workload,
  policy: Policy,
  gateways: VirtualGatewaysOptions = ONE_PROCESS,
): Result {
  const { times, seed } = options
  const { samples, computed } = simulate({
    policy,
    sessions,
    engines,
    speed: speedOf(options),
    times,
    seed,
    gateways,
  })
  return resultOf(samples, computed, times)
}

export function speedOf({ times, cacheTokens }: Options): EngineSpeed {
  return { ...faster(H100_8B, times), cacheTokens }
}
