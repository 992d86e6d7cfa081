import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import { withinListening } from '../base/timeout.ts'
import { LoopWriteQueue } from '../base/write-queue.ts'
import { parseRedisUrl } from '../config/redis-address.ts'
import { type LedgerView, NOTHING_SPENT } from './ledger.ts'
import type { Limits } from './limits.ts'
import { MemoryBudgets } from './memory/budgets.ts'
import { MemoryQuotas } from './memory/quotas.ts'
import { MemoryRates } from './memory/rates.ts'
import { RedisBudgets } from './redis/budgets.ts'
import { createClient } from './redis/client.ts'
import { CREDIT, RedisCredits } from './redis/credits.ts'
import { LEASE, RedisLeases } from './redis/leases.ts'
import { LimitBatcher } from './redis/limit-batcher.ts'
import { RedisLink } from './redis/link.ts'
import { type KnownProcesses, Processes } from './redis/processes.ts'
import { QUOTA, RedisQuotas } from './redis/quotas.ts'
import { RATE, RedisRates } from './redis/rates.ts'

export interface RedisLimitsOptions {
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly ledger: LedgerView
  /** What the store knows of the windows of budgets. */
  readonly spent?: Pick<LedgerView, 'of'>
  /** The number of workers in the configuration: at least this many processes share Redis. */
  readonly workers?: number
  /** Processes that share Redis, where this one has never counted them. */
  readonly processes?: number | undefined
  readonly known?: KnownProcesses
  /** The queue in which records and last bytes of responses wait for the end of the tick. */
  readonly writes?: LoopWriteQueue
  /** How long leases remain after their process has died. They are renewed three times in this time. */
  readonly leaseMs?: number
  /** How long reservations remain after their process has died. They are renewed four times in this time. */
  readonly reservationMs?: number
  /** After this time a decision is made without Redis. */
  readonly replyTimeoutMs?: number
  /** How long a start waits for Redis's first answer. */
  readonly readyMs?: number
}

/** After this time limits follow their on_store_failure. */
const READY_MS = 5000
/** Pause between two attempts of a start to reach Redis. */
const ATTEMPT_MS = 50
const UNHEARD = 'Redis has not answered since the start: limits follow their on_store_failure'
const NEVER_COUNTED: KnownProcesses = { last: undefined, keep() {} }
const RENEW_MS = 1000
/** Local counters are swept once in this many renewal rounds. */
const SWEEP_ROUNDS = 60

/** Limits that several processes share. Throws if the URL is invalid, but not if Redis is unavailable. */
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
  const onAgain = (awayMs: number) => void report(awayMs)
  const link = new RedisLink({
    ...{ client, clock, log, metrics, cluster: address.mode === 'cluster', replyTimeoutMs, onAgain },
  })
  client.on('error', (problem: Error) => link.setConnectionProblem(problem))
  client.on('ready', () => {
    link.setConnectionProblem(undefined)
    link.tryNow()
    // At once, so that no request has to find out that Redis is back.
    void renew()
  })
  const batcher = new LimitBatcher(link, [LEASE, QUOTA, RATE, CREDIT], writes)
  const processes = new Processes(link, clock, { atLeast: workers, assumed, known })
  const localQuotas = new MemoryQuotas(clock)
  const localRates = new MemoryRates(clock)
  const localBudgets = new MemoryBudgets(clock, NOTHING_SPENT)
  const leases = new RedisLeases(link, batcher, clock, processes, { leaseMs })
  const credits = new RedisCredits(link, batcher, clock, ledger, { reservationMs })
  const balances = new RedisCredits(link, batcher, clock, spent, { reservationMs })

  let rounds = 0
  let renewing = false
  const logFailed = (results: readonly PromiseSettledResult<void>[]) => {
    for (const result of results) {
      if (result.status === 'rejected') log.error({ err: result.reason }, 'leases in Redis could not be renewed')
    }
  }
  const report = async (awayMs: number) =>
    logFailed(await Promise.allSettled([leases.report(awayMs), credits.report(), balances.report()]))
  const renew = async () => {
    if (renewing) return
    renewing = true
    try {
      logFailed(await Promise.allSettled([processes.heartbeat(), leases.renew(), credits.renew(), balances.renew()]))
      if (++rounds % SWEEP_ROUNDS > 0) return
      localQuotas.sweep()
      localRates.sweep()
      localBudgets.sweep()
    } finally {
      // Otherwise one error would end all renewals, and leases would expire while their requests run.
      renewing = false
    }
  }

  const connected = new Promise<void>(resolve => client.once('ready', resolve))
  client.connect().catch(() => {})
  // Time in which this process is too busy to hear Redis does not count: it has more to do at its start than ever after.
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
  else log.warn(UNHEARD)

  const timer = setInterval(() => void renew(), Math.min(RENEW_MS, leaseMs / 9, reservationMs / 9))
  timer.unref()

  return {
    leases,
    quotas: new RedisQuotas(batcher, processes, localQuotas),
    rates: new RedisRates(batcher, processes, localRates),
    credits,
    budgets: new RedisBudgets(link, balances, processes, localBudgets),
    notes: () => (link.hasAnswered ? [] : [UNHEARD]),
    async close() {
      clearInterval(timer)
      ledger.close()
      await Promise.all([credits.renew(), balances.renew()])
      batcher.onFlush()
      await processes.leave()
      await link.close()
    },
  }
}
