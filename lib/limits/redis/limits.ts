import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { withinListening } from '../../base/timeout.ts'
import { LoopWriteQueue } from '../../base/write-queue.ts'
import { parseRedisUrl } from '../../config/redis-address.ts'
import { type LedgerView, NOTHING_SPENT } from '../ledger.ts'
import type { Limits } from '../limits.ts'
import { MemoryQuotas } from '../memory/quotas.ts'
import { MemoryRates } from '../memory/rates.ts'
import { MemorySpendLimits } from '../memory/spend-limits.ts'
import { connectionProblem, createClient } from './client.ts'
import { CREDIT, RedisCredits } from './credits.ts'
import { LEASE, RedisLeases } from './leases.ts'
import { LimitBatcher } from './limit-batcher.ts'
import { RedisLink } from './link.ts'
import { RedisPlaces } from './places.ts'
import { type KnownProcesses, Processes } from './processes.ts'
import { QUOTA, RedisQuotas } from './quotas.ts'
import { RATE, RedisRates } from './rates.ts'
import { RedisSpendLimits } from './spend-limits.ts'

interface RedisLimitsOptions {
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly ledger: LedgerView
  /** Money spent in a window of a spend limit according to the store. */
  readonly spent?: Pick<LedgerView, 'of'>
  /** The number of workers in the configuration. At least this many processes share Redis. */
  readonly workers?: number
  /** Number of processes that share Redis, until this process has counted them. */
  readonly processes?: number | undefined
  readonly known?: KnownProcesses
  /** The queue that contains records and last bytes of responses until the end of the tick. */
  readonly writes?: LoopWriteQueue
  /** Time to live of a lease. It is renewed three times in this time. */
  readonly leaseMs?: number
  /** Time to live of a reservation. It is renewed four times in this time. */
  readonly reservationMs?: number
  /** After this time a decision is made without Redis. */
  readonly replyTimeoutMs?: number
  /** Time that a start waits for the connection, and for the first answer. */
  readonly readyMs?: number
}

const READY_MS = 5000
/** Pause between two attempts of a start to reach Redis. */
const ATTEMPT_MS = 50
const NO_ANSWER = 'Redis has not answered since the start: limits follow their on_store_failure'
const NEVER_COUNTED: KnownProcesses = { last: undefined, keep() {} }
const RENEW_MS = 1000
/** Local counters are swept once in this many renewal rounds. */
const SWEEP_ROUNDS = 60

/** Limits that several processes share. Throws if the URL is invalid. An unavailable Redis is not an error. */
export async function redisLimits(options: RedisLimitsOptions): Promise<Limits> {
  const {
    clock,
    log,
    metrics,
    ledger,
    spent = NOTHING_SPENT,
    workers = 1,
    processes: assumed = workers,
    known = NEVER_COUNTED,
    writes = new LoopWriteQueue(),
    readyMs = READY_MS,
    leaseMs = 9000,
    reservationMs = 60_000,
    replyTimeoutMs = 500,
  } = options
  const address = parseRedisUrl(options.url)
  const client = createClient(address)
  const onRecovered = (unavailableMs: number) => void report(unavailableMs)
  const link = new RedisLink({
    ...{ client, clock, log, metrics, isCluster: address.mode === 'cluster', replyTimeoutMs, onRecovered },
  })
  client.on('error', (error: Error) => link.setConnectionProblem(connectionProblem(error)))
  client.on('ready', () => {
    link.setConnectionProblem(undefined)
    link.retryNow()
    // Shows at once that Redis answers again, before the next request.
    void renew()
  })
  const batcher = new LimitBatcher(link, [LEASE, QUOTA, RATE, CREDIT], writes)
  const processes = new Processes(link, clock, { atLeast: workers, assumed, known })
  const places = new RedisPlaces({ link, processes, open: () => createClient(address), db: address.db, leaseMs })
  const localQuotas = new MemoryQuotas(clock)
  const localRates = new MemoryRates(clock)
  const localSpend = new MemorySpendLimits(clock, NOTHING_SPENT)
  const leases = new RedisLeases(link, batcher, clock, processes, { leaseMs })
  const credits = new RedisCredits(link, batcher, clock, ledger, { reservationMs })
  const balances = new RedisCredits(link, batcher, clock, spent, { reservationMs })

  let rounds = 0
  let isRenewing = false
  const logFailed = (results: readonly PromiseSettledResult<void>[]) => {
    for (const result of results) {
      if (result.status === 'rejected') log.error({ err: result.reason }, 'leases in Redis could not be renewed')
    }
  }
  const report = async (unavailableMs: number) =>
    logFailed(await Promise.allSettled([leases.report(unavailableMs), credits.report(), balances.report()]))
  const renew = async () => {
    if (isRenewing) return
    isRenewing = true
    try {
      logFailed(await Promise.allSettled([processes.heartbeat(), leases.renew(), credits.renew(), balances.renew()]))
      if (++rounds % SWEEP_ROUNDS > 0) return
      localQuotas.sweep()
      localRates.sweep()
      localSpend.sweep()
    } finally {
      // Also after an error, because without renewals leases would expire while their requests run.
      isRenewing = false
    }
  }

  const connected = new Promise<void>(resolve => client.once('ready', resolve))
  client.connect().catch(() => {})
  // Time in which this process is too busy to read an answer does not count, because a start keeps it busy.
  const isConnected = await withinListening(readyMs, 'not connected yet', connected).then(
    () => true,
    () => false,
  )
  await processes.heartbeat()
  for (let left = isConnected ? readyMs / ATTEMPT_MS : 0; !link.hasAnswered && left > 0; left--) {
    await sleep(ATTEMPT_MS)
    await processes.heartbeat()
  }
  link.started()
  if (link.hasAnswered) await batcher.load()
  else log.warn(NO_ANSWER)

  const timer = setInterval(() => void renew(), Math.min(RENEW_MS, leaseMs / 9, reservationMs / 9))
  timer.unref()

  return {
    leases,
    quotas: new RedisQuotas(batcher, processes, localQuotas),
    rates: new RedisRates(batcher, processes, localRates),
    credits,
    spendLimits: new RedisSpendLimits(link, balances, processes, localSpend),
    places,
    notes: () => (link.hasAnswered ? [] : [NO_ANSWER]),
    async close() {
      clearInterval(timer)
      ledger.close()
      await Promise.all([credits.renew(), balances.renew()])
      batcher.onFlush()
      places.close()
      await processes.leave()
      await link.close()
    },
  }
}
