/**
 * The gain of a second worker on a machine without a core for it. Each worker gets a fixed share of one core,
 * which is the limit with one worker as with two. Load generator, mock backend and Redis use the rest.
 */
import { type Bench, type Row, sleep } from '../bench.ts'
import type { RunOptions, RunResult } from '../load.ts'
import { type Server, startGateway, startRedis } from '../scaling/servers.ts'
import { Share } from '../scaling/share.ts'
import { KEY } from '../workload.ts'

/** Share of one core per worker. Two workers leave more than one of two cores to everything else. */
const SHARE = 0.3
/** Per worker, so that one worker has the same load as two. */
const CONNECTIONS = 64
const ROUNDS = 5

interface Side {
  readonly workers: number
  readonly gateway: Server
  readonly shares: readonly Share[]
  readonly perSecond: number[]
  readonly cpuUs: number[]
  readonly redisUs: number[]
  /** Percentage of the workers' periods in which their share was used up. */
  readonly usedUp: number[]
}

export async function scaling(bench: Bench): Promise<readonly Row[]> {
  const redis = await startRedis(bench.site.dir).catch(() => undefined)
  if (redis === undefined) {
    bench.say('scaling is left out: redis-server is not installed')
    return []
  }
  const sides: Side[] = []
  try {
    for (const workers of [1, 2]) sides.push(await start(workers, bench, redis))
    const limited = sides.every(({ shares }) => shares.length > 0)
    bench.say(
      limited
        ? `each worker may use ${SHARE * 100} % of one core; load, backend and Redis have the rest of the machine`
        : 'control groups cannot be written here (/sys/fs/cgroup/cpu, as root): workers take what CPU they get, so that rates say nothing about scaling; CPU per request does',
    )
    // Also per worker.
    const requests = bench.quick ? 1000 : 4000
    for (const side of sides) await chats(bench, side, requests * side.workers)
    for (let round = 0; round < (bench.quick ? 1 : ROUNDS); round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        await measure(bench, side, redis, requests * side.workers)
    }
    return rowsOf(sides, limited)
  } finally {
    for (const { gateway, shares } of sides) {
      await gateway.stop()
      await sleep(100)
      for (const share of shares) share.remove()
    }
    await redis.stop()
  }
}

async function start(workers: number, { site }: Bench, redis: Server): Promise<Side> {
  const one = { label: `${workers} shared`, workers, redis: true, prepaid: false }
  const gateway = await startGateway(one, site.dir, site.backendPort, redis.port)
  const shares = gateway.workers().flatMap(pid => {
    const share = newShare()
    share?.add(pid)
    return share ?? []
  })
  return { workers, gateway, shares, perSecond: [], cpuUs: [], redisUs: [], usedUp: [] }
}

function newShare(): Share | undefined {
  try {
    return new Share(SHARE)
  } catch {
    return undefined
  }
}

async function measure(bench: Bench, side: Side, redis: Server, requests: number): Promise<void> {
  // The writer still moves the records of earlier requests.
  await sleep(bench.quick ? 500 : 1500)
  const before = periodsOf(side)
  const [gatewayMs, redisMs] = [side.gateway.cpuMs(), redis.cpuMs()]
  const { elapsedMs } = await chats(bench, side, requests)
  side.perSecond.push((requests * 1000) / elapsedMs)
  side.cpuUs.push(((side.gateway.cpuMs() - gatewayMs) * 1000) / requests)
  side.redisUs.push(((redis.cpuMs() - redisMs) * 1000) / requests)
  const after = periodsOf(side)
  side.usedUp.push((100 * (after.usedUp - before.usedUp)) / (after.all - before.all))
}

function chats({ load }: Bench, { gateway, workers }: Side, count: number): Promise<RunResult> {
  return load.ask<RunResult>('run', {
    port: gateway.port,
    headers: `authorization: Bearer ${KEY}\r\n`,
    ...{ api: 'chat', behaviour: 'json', bytes: 2000, connections: CONNECTIONS * workers, count },
  } satisfies RunOptions)
}

function periodsOf({ shares }: Side): { readonly all: number; readonly usedUp: number } {
  const periods = shares.map(share => share.periods())
  return {
    all: periods.reduce((sum, { all }) => sum + all, 0),
    usedUp: periods.reduce((sum, one) => sum + one.usedUp, 0),
  }
}

/** `limited`: the shares limited the workers; otherwise the rates cannot be compared. */
function rowsOf(sides: readonly Side[], limited: boolean): readonly Row[] {
  const row = (what: string, unit: string, gateway: readonly number[]): Row => ({ what, unit, measured: { gateway } })
  const names = ['1 worker', '2 workers']
  const [one, two] = sides.map(({ perSecond }) => perSecond) as [number[], number[]]
  const rates = sides.flatMap((side, i) => [
    row(`small chats, ${names[i]}, Redis`, '1/s', side.perSecond),
    ...(limited ? [row('– time slices in which a share was used up', '%', side.usedUp)] : []),
  ])
  const cpu = sides.flatMap((side, i) => [
    row(`small chat, ${names[i]}, Redis`, 'µs CPU', side.cpuUs),
    row('– of Redis', 'µs CPU', side.redisUs),
  ])
  if (!limited) return [...rates, ...cpu]
  const gain = two.map((rate, round) => rate / one[round]!)
  const ratio = row(`2 workers ÷ 1 worker, each held to ${SHARE * 100} % of a core`, '×', gain)
  return [...rates, ratio, ...cpu]
}
