import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import { within } from '../base/timeout.ts'
import type { LedgerView } from './ledger.ts'
import type { Limits } from './limits.ts'
import { MemoryQuotas } from './memory/quotas.ts'
import { MemoryRates } from './memory/rates.ts'
import { parseRedisUrl } from './redis/address.ts'
import { createClient, loadScript } from './redis/client.ts'
import { CREDIT, RedisCredits } from './redis/credits.ts'
import { LEASE, RedisLeases } from './redis/leases.ts'
import { LimitBatcher } from './redis/limit-batcher.ts'
import { RedisLink } from './redis/link.ts'
import { Processes } from './redis/processes.ts'
import { QUOTA, RedisQuotas } from './redis/quotas.ts'
import { RATE, RedisRates } from './redis/rates.ts'

export interface RedisLimitsOptions {
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly ledger: LedgerView
  /** Processes that are going to share the store, as far as the configuration knows. */
  readonly processes?: number
  /** How long leases outlive their process. They are renewed three times in this time. */
  readonly leaseMs?: number
  /** How long reservations outlive their process. They are renewed four times in this time. */
  readonly reservationMs?: number
  /** How long a decision may take before it is made without Redis. */
  readonly answerMs?: number
}

/** How long a start waits until Redis is ready for requests. After that, limits go by their on_store_failure. */
const READY_MS = 3000
const BEAT_MS = 1000
const SWEEP_BEATS = 60

/** Limits of many processes together. Throws when the URL cannot be one; a Redis that is away is no reason not to start. */
export async function redisLimits(options: RedisLimitsOptions): Promise<Limits> {
  const {
    clock,
    log,
    metrics,
    ledger,
    processes: atLeast = 1,
    leaseMs = 9000,
    reservationMs = 60_000,
    answerMs = 500,
  } = options
  const address = parseRedisUrl(options.url)
  const client = createClient(address)
  const link = new RedisLink({ client, clock, log, metrics, cluster: address.mode === 'cluster', answerMs })
  client.on('error', (problem: Error) => link.noteConnection(problem))
  client.on('ready', () => link.noteConnection(undefined))
  const batcher = new LimitBatcher(link, [LEASE, QUOTA, RATE, CREDIT])
  const processes = new Processes(link, clock, atLeast)
  const quotasHere = new MemoryQuotas(clock)
  const ratesHere = new MemoryRates(clock)
  const leases = new RedisLeases(link, batcher, clock, processes, { leaseMs })
  const credits = new RedisCredits(link, batcher, clock, ledger, { reservationMs })

  const ready = new Promise<void>(resolve => client.once('ready', resolve)).then(() =>
    loadScript(client, batcher.script.lua),
  )
  client.connect().catch(() => {})
  await within(READY_MS, 'not ready yet', ready).catch(() => {})

  let beats = 0
  let beating = false
  const beat = async () => {
    if (beating) return
    beating = true
    await Promise.all([processes.beat(), leases.beat(), credits.beat()])
    beating = false
    if (++beats % SWEEP_BEATS > 0) return
    quotasHere.sweep()
    ratesHere.sweep()
  }
  void beat()
  const timer = setInterval(() => void beat(), Math.min(BEAT_MS, leaseMs / 9, reservationMs / 9))
  timer.unref()

  return {
    leases,
    quotas: new RedisQuotas(batcher, processes, quotasHere),
    rates: new RedisRates(batcher, processes, ratesHere),
    credits,
    async close() {
      clearInterval(timer)
      ledger.close()
      await credits.beat()
      batcher.flush()
      await processes.leave()
      await link.close()
    },
  }
}
