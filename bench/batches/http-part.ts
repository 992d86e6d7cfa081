/** Batches of the real API next to interactive requests, over HTTP: a gateway and timed engines in other processes. */
import type { HttpSample } from '../routing/load.ts'
import { type NamedGoal, writeGoals } from '../routing/named-goals.ts'
import { type Servers, startServers } from '../routing/servers.ts'
import { meanOf } from '../routing/spread.ts'
import { cells, write } from '../routing/table.ts'
import type { Outcome } from './http-batch.ts'
import { interactive, type Statistics, statistics } from './http-interactive.ts'
import { directRate, offlineRate } from './http-lines.ts'
import { capacityOfEngines, ENGINE, lineBodies, questions } from './http-traffic.ts'
import type { Options } from './options.ts'
import { engineMs } from './runs.ts'

const MAX_P95 = 1.06
const MIN_OFFLINE = 0.9
/** Limit of the first part of a run, which does not count. */
const MAX_LEAD_SECONDS = 5
/** Code that has not run some hundred times is interpreted. */
const WARM_UP = { rate: 30, seed: 77, name: 'warm-up' }
const MAX_WARM_UP_SECONDS = 10
const EVENT_TOKENS = 4
/** Busy cores of other programs, more than in the runs without a backlog, that disturb a comparison. */
const DISTURBED = 0.2
/** Lines of a backlog: as many as run offline in this multiple of the time. */
const BACKLOG = 1.2

interface Cell {
  /** Other programs used more of the machine in the run with a backlog. */
  readonly isDisturbed: boolean
  /** With a backlog, as a multiple of without. */
  readonly p95: number
  readonly engineP95: number
  /** One run without a backlog as a multiple of the other one, at least 1. */
  readonly noise: number
  readonly engineNoise: number
  readonly failed: number
  readonly outcome: Outcome
}

export async function overHttp(options: Options): Promise<void> {
  const { loads, seeds, httpEngines: engines, seconds, isWhole, line, slots, growths, cacheShare } = options
  const seed = seeds[0]!
  const capacity = capacityOfEngines(engines, seed)
  write(`\n## Over HTTP, ${engines} timed engines, ${isWhole ? 'whole replies' : 'streams'}\n`)
  write(
    `Capacity: ${capacity.toFixed(1)} requests per second. First tokens in ms: without, with, and without a backlog.`,
  )
  write('×: with a backlog, as a multiple of both runs without. Noise: one of these as a multiple of the other.')
  write('Busy cores of clients, gateway and engines with a backlog, and of other programs in the three runs.')
  write('~: other programs were busier in the run with a backlog. Its times are not checked.\n')
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
    const first = ['p95', 'mean', 'p95 in engines', 'mean in engines'].flatMap(name => [name, '×', 'noise'])
    const all = ['load %', 'requests', ...first, 'a token ×', 'lines/s', 'spare %', 'own cores', 'others']
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
  const without = [...before.samples, ...after.samples]
  const used = usedBy(without, 2 * seconds, options.httpEngines)
  const { cores, lines, samples, outcome } = withLines
  const [one, two, other] = [statistics(before.samples), statistics(samples), statistics(after.samples)]
  const both = statistics(without)
  const times = (name: keyof Statistics) => two[name] / both[name]
  const noise = (name: keyof Statistics) => Math.max(other[name] / one[name], one[name] / other[name])
  const figures = (name: keyof Statistics) => [
    [one, two, other].map(all => all[name].toFixed(0)).join(', '),
    times(name).toFixed(2),
    noise(name).toFixed(2),
  ]
  const others = [before, withLines, after].map(({ cores }) => cores.others)
  const isDisturbed = others[1]! > Math.max(others[0]!, others[2]!) + DISTURBED
  cells([
    isDisturbed ? `${load} ~` : load,
    samples.length,
    ...figures('p95'),
    ...figures('mean'),
    ...figures('engineP95'),
    ...figures('engineMean'),
    times('token').toFixed(2),
    lines.toFixed(1),
    ((100 * lines) / (offline * (1 - used))).toFixed(0),
    (cores.clients + cores.gateway + cores.engines).toFixed(2),
    others.map(busy => busy.toFixed(2)).join(', '),
  ])
  return {
    isDisturbed,
    p95: times('p95'),
    noise: noise('p95'),
    engineP95: times('engineP95'),
    engineNoise: noise('engineP95'),
    failed: before.failed + withLines.failed + after.failed,
    outcome: outcome!,
  }
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
  const quiet = all.filter(({ isDisturbed }) => !isDisturbed)
  const mean = (of: (cell: Cell) => number) => meanOf(quiet.map(of))
  const p95 = (name: string, value: (cell: Cell) => number, noise: (cell: Cell) => number): NamedGoal => ({
    name: `${name}, mean of the loads; limit: ${MAX_P95} times the noise`,
    value: mean(value),
    atMost: Number((MAX_P95 * mean(noise)).toFixed(2)),
  })
  const times = [
    p95(
      'p95 ×',
      cell => cell.p95,
      cell => cell.noise,
    ),
    p95(
      'p95 × in the engines',
      cell => cell.engineP95,
      cell => cell.engineNoise,
    ),
  ]
  return [
    { name: 'offline: rate of lines ÷ lines alone', value: offline.rate / offline.direct, atLeast: MIN_OFFLINE },
    ...(quiet.length === 0 ? [] : times),
    { name: 'lines lost, repeated or failed', value: wrong, atMost: 0 },
    { name: 'interactive requests failed', value: all.reduce((sum, { failed }) => sum + failed, 0), atMost: 0 },
  ]
}
