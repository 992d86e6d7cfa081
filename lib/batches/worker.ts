/** The part of a process in the work on batches: its lease, and what it does for batches every second. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Account } from '../accounts/access.ts'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import { within } from '../base/timeout.ts'
import type { Config } from '../config/config.ts'
import { isDiskFull } from '../files/in-time.ts'
import type { FileStore } from '../files/store.ts'
import type { RecordSink } from '../records/journal.ts'
import { abandonWorker, enterWorker, inherit, leaveWorker, renewWorker } from '../store/batch-workers.ts'
import { cancelBatch, changeBatch, type OpenBatch, openBatches, pausedModels } from '../store/batches.ts'
import type { Store } from '../store/store.ts'
import { type BatchStatus, hasEnded } from './batch.ts'
import type { DiskState } from './disk-state.ts'
import { Executor } from './executor.ts'
import { clear, finalize, takeEnded } from './finalize.ts'
import { ResultKeeper } from './keeper.ts'
import type { SendLine } from './line-request.ts'
import type { BatchMetrics } from './metrics.ts'
import { recover } from './recover.ts'
import type { SpareCapacity } from './spare.ts'
import { keyOfBatch, ownersOf } from './stored.ts'
import type { Runnable } from './turns.ts'
import type { LineCheck } from './validate.ts'
import { validateInput } from './validating.ts'

export interface WorkerParts {
  readonly store: Store
  readonly files: FileStore
  readonly records: RecordSink
  readonly config: () => Config
  readonly spare: SpareCapacity
  readonly send: SendLine
  readonly check: LineCheck
  readonly priceFactor: (account: Account) => number
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: BatchMetrics
  readonly everyMs?: number
  readonly leaseMs?: number
}

const EVERY_MS = 1000
/** Lines of a process that has ended are free after this time. */
const LEASE_MS = 15_000
/** How long the end waits for results to be stored. */
const CLOSE_MS = 5000
/** Between two tries to validate or finalize a batch. */
const RETRY_MS = 5000
/** Batches that are validated or finalized at the same time. */
const MAX_TASKS = 2
const DAY_MS = 86_400_000

export class BatchWorker {
  readonly id = randomUUID()
  readonly #parts: WorkerParts
  readonly #executor: Executor
  readonly #keeper: ResultKeeper
  readonly #leaseMs: number
  readonly #tasks = new Map<string, Promise<void>>()
  /** When batches are begun again that could not be validated or ended: milliseconds since the epoch. */
  readonly #retries = new Map<string, number>()
  readonly #ended = Promise.withResolvers<void>()
  #end: (() => Promise<void>) | undefined
  #renewedAt = Number.NEGATIVE_INFINITY
  #isClosing = false

  constructor(parts: WorkerParts) {
    const { store, files, records, config, spare, send, priceFactor, clock, log, metrics } = parts
    this.#parts = parts
    this.#leaseMs = parts.leaseMs ?? LEASE_MS
    const failed = () => this.#ended.resolve()
    this.#keeper = new ResultKeeper({
      store,
      files,
      records,
      log,
      worker: this.id,
      stored: results => {
        for (const { batch, record } of results)
          this.#executor.served(batch, (record?.input_tokens ?? 0) + (record?.output_tokens ?? 0))
      },
      lost: failed,
    })
    this.#executor = new Executor({
      store,
      files,
      keeper: this.#keeper,
      worker: this.id,
      spare,
      send,
      priceFactor,
      clock,
      log,
      count: metrics.count,
      failed,
      keptMs: config().files.retention_days * DAY_MS,
    })
  }

  /** Resolves when this worker has lost its lease, or the store has failed: another one must be started. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get inFlight(): ReadonlyMap<string, number> {
    return this.#executor.inFlight()
  }

  get paused(): DiskState['paused'] {
    return this.#keeper.disk.paused
  }

  /** Rejects if the store cannot be used. */
  async start(): Promise<void> {
    const { store, clock, log, everyMs = EVERY_MS } = this.#parts
    await store.prepare()
    await enterWorker(store, this.id, clock.now() + this.#leaseMs)
    this.#renewedAt = clock.now()
    let isFailing = false
    this.#end = hourly(
      async () => {
        await this.round()
        isFailing = false
      },
      err => {
        if (!isFailing) log.warn({ err }, 'the state of batches cannot be read: tried again')
        isFailing = true
      },
      everyMs,
    )
  }

  /** Claims nothing more. Lines in flight go on. */
  stop(): void {
    this.#isClosing = true
    this.#executor.stop()
  }

  /** Aborts lines in flight, stores results, and gives all lines back. */
  async close(): Promise<void> {
    const { store, clock, log } = this.#parts
    this.stop()
    await this.#end?.()
    await this.#executor.close()
    const isSettled = await within(CLOSE_MS, 'results wait', this.#keeper.settled()).then(
      () => true,
      () => false,
    )
    await this.#keeper.close()
    await Promise.all(this.#tasks.values())
    const leave = isSettled ? leaveWorker(store, this.id) : abandonWorker(store, this.id, clock.now())
    await leave.catch(err => log.warn({ err }, 'lines of batches are given back when the lease ends'))
  }

  /** Aborts lines in flight, and leaves everything to an heir. */
  async abandon(): Promise<void> {
    const { store, clock } = this.#parts
    this.stop()
    await this.#end?.()
    const kept = this.#keeper.close()
    await this.#executor.close()
    await Promise.all([kept, ...this.#tasks.values()])
    await abandonWorker(store, this.id, clock.now()).catch(() => {})
  }

  async round(): Promise<void> {
    const { store, clock, metrics } = this.#parts
    const now = clock.now()
    for (const [id, at] of this.#retries) if (at <= now) this.#retries.delete(id)
    if (now - this.#renewedAt >= this.#leaseMs / 5) {
      if (!(await renewWorker(store, this.id, now + this.#leaseMs))) return this.#ended.resolve()
      this.#renewedAt = now
    }
    await this.#recover(now)
    const [open, paused] = [await openBatches(store), await pausedModels(store)]
    const { accounts, limits } = await ownersOf(open, store, this.#parts.config())
    const runnable = new Map<string, Runnable>()
    const isOn = this.#parts.config().batches !== undefined
    for (const batch of open) {
      const account = accounts.get(batch.account_id)
      const isBegun = batch.status === 'validating' || batch.status === 'in_progress'
      if (isBegun && (account === undefined || account.disabled)) await cancelBatch(store, batch.id, now)
      else if (account !== undefined && isOn && isRunning(batch, now))
        runnable.set(batch.id, { batch, key: keyOfBatch(batch, account, limits) })
      else if (isOn && !this.#isClosing && !isRunning(batch, now)) this.#begin(batch, account)
    }
    this.#keeper.disk.keep(open.map(({ id }) => id))
    metrics.unfinished(open.filter(({ status }) => !hasEnded(status as BatchStatus)))
    if (!this.#isClosing) this.#executor.update(runnable, paused)
  }

  async #recover(now: number): Promise<void> {
    const { store } = this.#parts
    const dead = await inherit(store, this.id, now, now + this.#leaseMs)
    if (dead.length === 0) return
    const open = await openBatches(store)
    for (const one of dead) await recover(one, open, { ...this.#parts, worker: this.id })
  }

  /** Begins what is to be done for a batch that does not run. `account`: undefined: it was removed. */
  #begin(batch: OpenBatch, account: Account | undefined): void {
    if (batch.holder !== null || this.#tasks.has(batch.id) || this.#retries.has(batch.id)) return
    if (this.#tasks.size >= MAX_TASKS) return
    const host = { ...this.#parts, worker: this.id, check: this.#check }
    const work = () => {
      if (hasEnded(batch.status as BatchStatus)) return clear(batch, host)
      if (batch.status === 'validating') return validateInput(batch, account!, host)
      return this.#finalize(batch, account === undefined)
    }
    const { store, clock, log } = this.#parts
    const task = work().catch(async err => {
      this.#retries.set(batch.id, clock.now() + RETRY_MS)
      if (isDiskFull(err)) this.#keeper.disk.failed(batch.id, err)
      else if (!this.#isClosing)
        log.error({ err, batch: batch.id }, 'a batch could not be validated or ended: tried again')
      const states = ['validating', 'finalizing', 'cancelling']
      await changeBatch(store, batch.id, { status: states, holder: this.id }, { holder: null }).catch(() => {})
    })
    this.#tasks.set(
      batch.id,
      task.finally(() => this.#tasks.delete(batch.id)),
    )
  }

  /** Interrupts validations when this process ends. */
  readonly #check: LineCheck = (...line) => {
    if (this.#isClosing) throw new Error('the process ends')
    return this.#parts.check(...line)
  }

  async #finalize(batch: OpenBatch, isRemoved: boolean): Promise<void> {
    const host = { ...this.#parts, worker: this.id }
    const taken = await takeEnded(batch, host)
    if (taken === undefined) return
    await this.#keeper.release(batch.id)
    const [fresh] = (await openBatches(this.#parts.store)).filter(({ id }) => id === batch.id)
    if (fresh === undefined) return
    const ended = await finalize(fresh, host, isRemoved)
    this.#keeper.disk.written(batch.id)
    if (ended === undefined || ended.status === 'completed') return
    for (const [model, lines] of ended.left) this.#parts.metrics.count(model, ended.status, lines)
  }
}

function isRunning({ status, total, completed, failed, expires_at }: OpenBatch, now: number): boolean {
  return status === 'in_progress' && expires_at > now && completed + failed < total
}
