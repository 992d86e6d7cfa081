/** Batches of the real API next to interactive requests, over HTTP: a gateway and timed engines in other processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpSample, runLoad } from '../routing/load.ts'
import { type NamedGoal, writeGoals } from '../routing/named-goals.ts'
import { resultOf } from '../routing/result.ts'
import { type Servers, startServers } from '../routing/servers.ts'
import { meanOf } from '../routing/spread.ts'
import { type Cores, coresOf } from '../routing/stages.ts'
import { cells, write } from '../routing/table.ts'
import { HttpBatch, type Outcome } from './http-batch.ts'
import { completed, directRate, offlineRate } from './http-lines.ts'
import { capacityOfEngines, ENGINE, lineBodies, questions } from './http-traffic.ts'
import type { Options } from './options.ts'
import { engineMs } from './runs.ts'

const MAX_P95 = 1.06
const MIN_OFFLINE = 0.9
/** Limit of the first part of a run, which does not count. A backlog is sent after the first requests. */
const MAX_LEAD_SECONDS = 5
const BACKLOG_AFTER_MS = 500
/** Code that has not run some hundred times is interpreted. */
const WARM_UP = { rate: 30, seed: 77, name: 'warm-up' }
const MAX_WARM_UP_SECONDS = 10
const EVENT_TOKENS = 4
/** Lines of a backlog: as many as run offline in this multiple of the time. */
const BACKLOG = 1.2

interface Measured {
  readonly samples: readonly HttpSample[]
  /** Interactive requests without an answer. */
  readonly failed: number
  /** Lines per second. */
  readonly lines: number
  readonly cores: Cores
  readonly outcome: Outcome | undefined
}

interface Cell {
  readonly load: number
  readonly p95: number
  readonly noise: number
  readonly failed: number
  readonly outcome: Outcome
}

export async function overHttp(options: Options): Promise<void> {
  const { loads, seeds, httpEngines: engines, seconds, isWhole, line, slots, growths, cacheShare } = options
  const seed = seeds[0]!
  const capacity = capacityOfEngines(engines, seed)
  write(`\n## Over HTTP, ${engines} timed engines, ${isWhole ? 'whole replies' : 'streams'}\n`)
  write(
    `Capacity: ${capacity.toFixed(1)} requests per second. First tokens in ms, without, with, and without a backlog.`,
  )
  write('×: with a backlog, as a multiple of both runs without. Noise: one of these as a multiple of the other.')
  write('Busy cores of clients, gateway and engines, and of other programs, in the run with a backlog.\n')
  const batches = { growth: growths[0]!, max_cache_share: cacheShare, slots }
  const servers = await startServers({
    engines,
    speed: ENGINE.speed,
    eventTokens: EVENT_TOKENS,
    policy: 'cost',
    workers: 1,
    more: { batches },
  })
  try {
    const lines = { line, slots, seconds: Math.max(1, seconds / 2) }
    const direct = await directRate(servers, lines)
    const offline = await offlineRate(servers, direct, lines)
    const warmUp = questions({ ...WARM_UP, seconds: Math.min(MAX_WARM_UP_SECONDS, seconds) })
    await interactive(servers, warmUp, { seconds: 0, leadSeconds: 0, isWhole })
    const heads = ['load %', 'requests', 'p95', 'p95 ×', 'noise', 'mean', 'mean ×', 'noise', 'a token ×', 'lines/s']
    const all = [...heads, 'spare %', 'own cores', 'others']
    cells(all)
    cells(all.map(() => '-:'))
    const measured: Cell[] = []
    for (const load of loads) measured.push(await atLoad(servers, options, { load, capacity, offline: offline.rate }))
    writeGoals(goalsOf(measured, { direct, ...offline }))
  } finally {
    await servers.close()
  }
}

interface Situation {
  readonly load: number
  readonly capacity: number
  /** Lines per second of the offline model. */
  readonly offline: number
}

async function atLoad(servers: Servers, options: Options, { load, capacity, offline }: Situation): Promise<Cell> {
  const { seconds, seeds, isWhole, line } = options
  const leadSeconds = Math.min(MAX_LEAD_SECONDS, seconds)
  const total = seconds + leadSeconds
  const run = { seconds, leadSeconds, isWhole }
  const rate = (capacity * load) / 100
  const of = (name: string) => questions({ rate, seconds: total, seed: seeds[0]! + load, name: `${load}/${name}/` })
  const count = Math.ceil(BACKLOG * offline * total)
  const bodies = lineBodies(line, 1_000_000 + load * 10_000, count)
  const before = await interactive(servers, of('before'), run)
  const withLines = await interactive(servers, of('with'), run, bodies)
  const after = await interactive(servers, of('after'), run)
  const [one, two, other] = [before, withLines, after].map(statistics)
  const both = statistics({ samples: [...before.samples, ...after.samples] })
  const used = usedBy([...before.samples, ...after.samples], 2 * seconds, options.httpEngines)
  const { cores } = withLines
  const noise = (of: keyof typeof both) => other![of] / one![of]
  cells([
    load,
    withLines.samples.length,
    [one!, two!, other!].map(({ p95 }) => p95.toFixed(0)).join(', '),
    (two!.p95 / both.p95).toFixed(2),
    noise('p95').toFixed(2),
    [one!, two!, other!].map(({ mean }) => mean.toFixed(0)).join(', '),
    (two!.mean / both.mean).toFixed(2),
    noise('mean').toFixed(2),
    (two!.token / both.token).toFixed(2),
    withLines.lines.toFixed(1),
    ((100 * withLines.lines) / (offline * (1 - used))).toFixed(0),
    (cores.clients + cores.gateway + cores.engines).toFixed(2),
    cores.others.toFixed(2),
  ])
  return {
    load,
    p95: two!.p95 / both.p95,
    noise: Math.max(noise('p95'), 1 / noise('p95')),
    failed: before.failed + withLines.failed + after.failed,
    outcome: withLines.outcome!,
  }
}

interface InteractiveRun {
  /** Of the part that counts, and of the part before it. */
  readonly seconds: number
  readonly leadSeconds: number
  readonly isWhole: boolean
}

/** Sends these requests, and a batch of lines with these bodies next to them. */
async function interactive(
  servers: Servers,
  sessions: ReturnType<typeof questions>,
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
    samples: (isWhole ? await firstTokens(servers, samples) : samples).filter(({ at }) => at >= 1000 * leadSeconds),
    failed: sessions.length - samples.length,
    lines,
    cores,
    outcome: await batch?.outcome(),
  }
}

/** First tokens of whole replies, as their engines have computed them. */
async function firstTokens(servers: Servers, samples: readonly HttpSample[]): Promise<HttpSample[]> {
  const byId = new Map((await servers.requests()).map(request => [request.id, request]))
  return samples.flatMap(sample => {
    const request = byId.get(sample.id)
    if (request === undefined) return []
    const tokens = Math.max(1, sample.answerTokens - 1)
    return { ...sample, ttft: request.due - sample.sentAt, tpot: (sample.sentAt + sample.ttft - request.due) / tokens }
  })
}

function statistics({ samples }: Pick<Measured, 'samples'>) {
  const { ttft } = resultOf(samples, [], 1, { counted: { from: 0, until: Number.POSITIVE_INFINITY } })
  return { p95: ttft.p95, mean: ttft.mean, token: meanOf(samples.map(({ tpot }) => tpot)) }
}

/** The part of the time of the engines that the tokens of interactive requests take. */
function usedBy(samples: readonly HttpSample[], seconds: number, engines: number): number {
  const ms = samples.reduce((sum, one) => sum + engineMs(one, one.answerTokens, ENGINE.speed), 0)
  return ms / (1000 * seconds * engines)
}

function goalsOf(
  all: readonly Cell[],
  offline: { readonly direct: number; readonly rate: number; readonly outcome: Outcome },
): NamedGoal[] {
  const outcomes = [offline.outcome, ...all.map(({ outcome }) => outcome)]
  const wrong = outcomes.reduce((sum, { lost, repeated, failed }) => sum + lost + repeated + failed, 0)
  const noise = meanOf(all.map(one => one.noise))
  return [
    { name: 'offline: rate of lines ÷ lines alone', value: offline.rate / offline.direct, atLeast: MIN_OFFLINE },
    {
      name: `p95 ×, mean of the loads; limit: ${MAX_P95} times the noise`,
      value: meanOf(all.map(({ p95 }) => p95)),
      atMost: Number((MAX_P95 * noise).toFixed(2)),
    },
    { name: 'lines lost, repeated or failed', value: wrong, atMost: 0 },
    { name: 'interactive requests failed', value: all.reduce((sum, { failed }) => sum + failed, 0), atMost: 0 },
  ]
}
