/** Interactive requests over HTTP, alone or next to a batch, and what is measured of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpSample, runLoad } from '../routing/load.ts'
import { resultOf } from '../routing/result.ts'
import type { Servers } from '../routing/servers.ts'
import { meanOf } from '../routing/spread.ts'
import { type Cores, coresOf } from '../routing/stages.ts'
import type { Session } from '../routing/workloads.ts'
import { HttpBatch, type Outcome } from './http-batch.ts'
import { completed } from './http-lines.ts'

/** A backlog is sent after the first requests. */
const BACKLOG_AFTER_MS = 500

export interface TimedSample extends HttpSample {
  /** Time to the first token in the model of the engine, in which busy cores matter little. */
  readonly engineMs: number
}

export interface Measured {
  readonly samples: readonly TimedSample[]
  /** Interactive requests without an answer. */
  readonly failed: number
  /** Lines per second. */
  readonly lines: number
  readonly cores: Cores
  readonly outcome: Outcome | undefined
}

export interface InteractiveRun {
  /** Of the part that counts, and of the part before it. */
  readonly seconds: number
  readonly leadSeconds: number
  readonly isWhole: boolean
}

/** Sends these requests, and a batch of lines with these bodies next to them. */
export async function interactive(
  servers: Servers,
  sessions: readonly Session[],
  { seconds, leadSeconds, isWhole }: InteractiveRun,
  bodies?: readonly string[],
): Promise<Measured> {
  const backlog = bodies && sleep(BACKLOG_AFTER_MS).then(() => HttpBatch.start(servers.url, bodies))
  const counted = sleep(1000 * leadSeconds).then(async () => {
    const [cores, before, from] = [coresOf(servers), await completed(servers), performance.now()]
    await sleep(1000 * seconds)
    const lines = (1000 * ((await completed(servers)) - before)) / (performance.now() - from)
    return { cores: cores(), lines }
  })
  const samples = await runLoad({ url: servers.url, sessions, times: 1, modelOf: () => 'm', isStreamed: !isWhole })
  const { cores, lines } = await counted
  const batch = await backlog
  await batch?.cancel()
  return {
    samples: (await timed(servers, samples, isWhole)).filter(({ at }) => at >= 1000 * leadSeconds),
    failed: sessions.length - samples.length,
    lines,
    cores,
    outcome: await batch?.outcome(),
  }
}

/** First tokens of whole replies are those that their engines have computed. */
async function timed(servers: Servers, samples: readonly HttpSample[], isWhole: boolean): Promise<TimedSample[]> {
  const byId = new Map((await servers.requests()).map(request => [request.id, request]))
  return samples.flatMap(sample => {
    const request = byId.get(sample.id)
    if (request === undefined) return []
    const engineMs = request.due - request.submitted
    if (!isWhole) return { ...sample, engineMs }
    const ttft = request.due - sample.sentAt
    const tpot = (sample.ttft - ttft) / Math.max(1, sample.answerTokens - 1)
    return { ...sample, engineMs, ttft, tpot }
  })
}

const ALL = { counted: { from: 0, until: Number.POSITIVE_INFINITY } }

export interface Statistics {
  readonly p95: number
  readonly mean: number
  readonly engineP95: number
  readonly engineMean: number
  /** Mean milliseconds per token of an answer. */
  readonly token: number
}

export function statistics(samples: readonly TimedSample[]): Statistics {
  const { ttft } = resultOf(samples, [], 1, ALL)
  const inEngines = samples.map(sample => ({ ...sample, ttft: sample.engineMs }))
  const { ttft: engine } = resultOf(inEngines, [], 1, ALL)
  const token = meanOf(samples.map(({ tpot }) => tpot))
  return { p95: ttft.p95, mean: ttft.mean, engineP95: engine.p95, engineMean: engine.mean, token }
}
