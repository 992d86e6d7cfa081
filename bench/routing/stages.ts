/** The stages of requests over HTTP until their first token, and the load of the processes. */
import type { TimedRequest } from '../../simulator/timed-engine.ts'
import { machineCpuMs } from '../processes.ts'
import type { HttpSample } from './load.ts'
import { countedOf } from './result.ts'
import type { CpuMs, Servers } from './servers.ts'
import { cells, write } from './table.ts'

/** Times in milliseconds. */
export interface Stage {
  readonly mean: number
  readonly p95: number
}

/**
 * - `there`: from the client until an engine has read the body. Includes the gateway and waiting for a core.
 * - `model`: in the model of the engine. Routing affects this stage.
 * - `late`: until the process of the engine has written the first token.
 * - `back`: until the client has received it.
 */
const STAGES = ['there', 'model', 'late', 'back'] as const
export type Stages = Readonly<Record<(typeof STAGES)[number], Stage>>

/** The stages of the requests that count. */
export function stagesOf(samples: readonly HttpSample[], requests: readonly TimedRequest[]): Stages {
  const byId = new Map(requests.map(request => [request.id, request]))
  const known = countedOf(samples).flatMap(sample => {
    const request = byId.get(sample.id)
    return request === undefined ? [] : [{ sample, request }]
  })
  const stage = (of: (one: (typeof known)[number]) => number): Stage => {
    const all = known.map(of).sort((a, b) => a - b)
    return { mean: all.reduce((a, b) => a + b, 0) / all.length, p95: all[Math.floor(0.95 * all.length)] ?? 0 }
  }
  return {
    there: stage(({ sample, request }) => request.submitted - sample.sentAt),
    model: stage(({ request }) => request.due - request.submitted),
    late: stage(({ request }) => request.written - request.due),
    back: stage(({ sample, request }) => sample.sentAt + sample.ttft - request.written),
  }
}

/** Mean number of busy cores. */
export interface Cores extends CpuMs {
  /** Of other programs. */
  readonly others: number
}

/** Measures from now until the returned function is called. */
export function coresOf(servers: Servers): () => Cores {
  const [at, machine, before] = [performance.now(), machineCpuMs(), servers.cpuMs()]
  return () => {
    const ms = performance.now() - at
    const after = servers.cpuMs()
    const clients = (after.clients - before.clients) / ms
    const gateway = (after.gateway - before.gateway) / ms
    const engines = (after.engines - before.engines) / ms
    const others = Math.max(0, (machineCpuMs() - machine) / ms - clients - gateway - engines)
    return { clients, gateway, engines, others }
  }
}

export interface StageRow {
  readonly workload: string
  readonly what: string
  /** Tokens of answers per second. */
  readonly tokens: number
  readonly eventTokens: number
  readonly stages: Stages
  readonly cores: Cores
  /** Mean of the stage `model` of the compared run. */
  readonly against: number
  /** Limit of the ratio to `against`. */
  readonly goal: number
}

/** Tokens of the answers to the requests that count, divided by the time in which these were sent. */
export function tokensPerSecond(samples: readonly HttpSample[]): number {
  const counted = countedOf(samples)
  const tokens = counted.reduce((sum, { answerTokens }) => sum + answerTokens, 0)
  return (1000 * tokens) / (counted.at(-1)!.at - counted[0]!.at)
}

const HEAD = `
Stages until the first token, mean and p95 in ms: there, on the way to the engine; model, in the model of the engine, which
routing affects; late, until its process has written the token; back, on the way to the client. Tokens of answers and their
events per second. Mean number of cores that were busy while sessions began.
`

export function writeStages(rows: readonly StageRow[]): void {
  write(HEAD)
  const processes = ['clients', 'gateway', 'engines', 'others'] as const
  const heads = ['workload', 'policy', ...STAGES, 'model ÷', 'goal', 'tokens', 'events', ...processes]
  cells(heads)
  cells(heads.map((_, i) => (i < 2 ? '-' : '-:')))
  for (const { workload, what, tokens, eventTokens, stages, cores, against, goal } of rows) {
    const times = STAGES.map(name => `${stages[name].mean.toFixed(1)}, ${stages[name].p95.toFixed(1)}`)
    const ratio = stages.model.mean / against
    const verdict = ratio > goal ? 'missed' : 'met'
    const rates = [tokens, tokens / eventTokens].map(rate => rate.toFixed(0))
    const busy = processes.map(name => cores[name].toFixed(2))
    cells([workload, what, ...times, ratio.toFixed(2), verdict, ...rates, ...busy])
  }
}
