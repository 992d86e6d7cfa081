/** Runs lines: claims them, sends each through the chain, and hands results to the keeper. */
import type { Logger } from 'pino'
import type { Account, Key } from '../accounts/access.ts'
import type { Clock } from '../base/clock.ts'
import { uuidv7 } from '../base/ids.ts'
import { nextTurn } from '../base/long-work.ts'
import type { FileStore } from '../files/store.ts'
import { type BatchLineRow, claimLines, releaseLines } from '../store/batch-lines.ts'
import { cancelBatch, type OpenBatch } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import type { RequestRecord } from '../store/record.ts'
import type { BatchEndpoint } from './batch.ts'
import { isProblem, readInputLine } from './input-line.ts'
import { InputRemoved, Inputs } from './inputs.ts'
import { type Job, newJob } from './job.ts'
import type { ResultKeeper } from './keeper.ts'
import type { LineOutcome, SendLine } from './line-request.ts'
import { replyLine } from './results.ts'
import { nextTry, verdictOf } from './retry.ts'
import type { SpareCapacity } from './spare.ts'
import { byModel, type Runnable, Turns } from './turns.ts'

interface ExecutorParts {
  readonly store: Session
  readonly files: FileStore
  readonly keeper: ResultKeeper
  readonly worker: string
  readonly spare: Pick<SpareCapacity, 'room' | 'waiting' | 'onRoom'>
  readonly send: SendLine
  readonly priceFactor: (account: Account) => number
  readonly clock: Clock
  readonly log: Logger
  readonly count: (model: string, outcome: LineOutcome) => void
  /** The store may have another state than this process believes: it must begin again as another worker. */
  readonly failed: () => void
  /** Milliseconds for which the folder of a batch is kept after the batch has expired. */
  readonly keptMs: number
}

/** Lines of one claim, so that accounts take turns. */
const WAVE = 16
/** Bytes of lines that may wait in memory for spare capacity. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Pause before a batch without a free line of a model is asked for one again. */
const EMPTY_MS = 1000
/** Pause of a batch whose account has used up its money. */
const MONEY_MS = 15_000
/** Room for lines whose model is not known: the chain refuses them. */
const UNKNOWN_ROOM = 16

export class Executor {
  readonly #parts: ExecutorParts
  #runnable: ReadonlyMap<string, Runnable> = new Map()
  /** By the models of their lines. */
  #byModel: ReadonlyMap<string, readonly Runnable[]> = new Map()
  #paused: ReadonlySet<string> = new Set()
  readonly #jobs = new Map<string, Set<Job>>()
  readonly #inputs: Inputs
  readonly #turns: Turns
  readonly #watched = new Map<string, () => void>()
  #filling: Promise<void> | undefined
  #isAsked = false
  #isStopping = false

  constructor(parts: ExecutorParts) {
    this.#parts = parts
    this.#turns = new Turns(parts.clock)
    this.#inputs = new Inputs(parts.files)
  }

  /** Lines in flight, by model. */
  inFlight(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { row } of this.#all()) counts.set(row.model, (counts.get(row.model) ?? 0) + 1)
    return counts
  }

  /** Applies the state of the store. Aborts lines of batches that may no longer run. */
  update(runnable: ReadonlyMap<string, Runnable>, paused: ReadonlySet<string>): void {
    this.#runnable = runnable
    this.#byModel = byModel(runnable.values())
    this.#paused = paused
    this.#turns.update()
    for (const [batch, jobs] of this.#jobs)
      if (!runnable.has(batch)) for (const job of jobs) this.#abort(job, 'stopped')
    for (const job of this.#all()) if (paused.has(job.row.model) && !job.isSent) this.#abort(job, 'stopped')
    this.#inputs.keep(batch => runnable.has(batch) || this.#jobs.has(batch))
    this.fill()
  }

  /** Claims and sends lines while there is room. */
  fill(): void {
    this.#isAsked = true
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
  }

  /** Counts tokens of an account, so that others come first. */
  served(batch: string, tokens: number): void {
    const account = this.#runnable.get(batch)?.batch.account_id
    if (account !== undefined) this.#turns.served(account, tokens)
  }

  /** Claims nothing more. */
  stop(): void {
    this.#isStopping = true
    for (const end of this.#watched.values()) end()
    this.#watched.clear()
  }

  /** Aborts all lines, and resolves when they have ended. */
  async close(): Promise<void> {
    this.stop()
    await this.#filling
    for (const job of this.#all()) this.#abort(job, 'stopped')
    while (this.#jobs.size > 0) await new Promise(resolve => setTimeout(resolve, 5))
    this.#inputs.keep(() => false)
  }

  *#all(): Generator<Job> {
    for (const jobs of this.#jobs.values()) yield* jobs
  }

  #abort(job: Job, reason: Job['reason']): void {
    if (job.abort.signal.aborted) return
    job.reason = reason
    job.abort.abort()
  }

  async #fill(): Promise<void> {
    while (this.#isAsked && !this.#isStopping) {
      this.#isAsked = false
      try {
        for (const model of this.#byModel.keys()) while (!this.#isStopping && (await this.#wave(model)));
      } catch (err) {
        this.#parts.log.warn({ err }, 'lines of batches cannot be claimed: tried again')
        this.#parts.failed()
      }
    }
  }

  /** Claims and sends lines of one batch. False: there is no room, or no line. */
  async #wave(model: string): Promise<boolean> {
    const { store, worker, clock } = this.#parts
    const room = this.#room(model)
    const next = room > 0 ? this.#turns.next(model, this.#byModel.get(model) ?? [], this.#all()) : undefined
    if (next === undefined) return false
    const { batch } = next
    const limit = Math.min(room, WAVE)
    const claim = { batch: batch.id, model, holder: worker, limit, now: clock.now() }
    const rows = await claimLines(store, claim)
    if (rows.length === 0) this.#turns.wait(`${batch.id} ${model}`, EMPTY_MS)
    for (const row of rows) void this.#run(next, row)
    return true
  }

  #room(model: string): number {
    const { spare, keeper } = this.#parts
    if (this.#paused.has(model) || keeper.disk.paused !== null) return 0
    if (model !== '' && !this.#watched.has(model))
      this.#watched.set(
        model,
        spare.onRoom(model, () => this.fill()),
      )
    let transit = 0
    let bytes = 0
    for (const { row, isInTransit } of this.#all()) {
      bytes += row.length
      if (row.model === model && isInTransit) transit++
    }
    if (bytes > MAX_WAITING_BYTES && spare.waiting(model) > 0) return 0
    return (model === '' ? UNKNOWN_ROOM : spare.room(model)) - transit
  }

  async #run({ batch, key }: Runnable, row: BatchLineRow): Promise<void> {
    const { clock, count, log } = this.#parts
    const job = newJob(batch, row)
    const jobs = this.#jobs.get(batch.id) ?? new Set()
    this.#jobs.set(batch.id, jobs.add(job))
    let next: { readonly attempts: number; readonly notBefore: number } | undefined
    try {
      next = await this.#send(job, key)
    } catch (err) {
      if (job.abort.signal.aborted) next = { attempts: row.attempts, notBefore: 0 }
      else if (err instanceof InputRemoved) next = await this.#cancel(job)
      else {
        log.warn({ err, batch: batch.id }, 'a line of a batch could not be sent: tried again')
        next = nextTry(row.attempts, clock.now())
      }
    }
    if (job.abort.signal.aborted && job.reason === 'preempted') count(row.model, 'preempted')
    if (next !== undefined) {
      job.kept.resolve(false)
      await this.#release(batch, row, next)
    }
    jobs.delete(job)
    if (jobs.size === 0) this.#jobs.delete(batch.id)
    this.fill()
  }

  /** Sends a line. Resolves with the time of its next try; undefined: it has ended. Rejects if it was aborted. */
  async #send(job: Job, key: Key): Promise<{ attempts: number; notBefore: number } | undefined> {
    const { send, keeper, clock, priceFactor, count, keptMs } = this.#parts
    const { batch, row, abort } = job
    await nextTurn()
    const line = readInputLine(await this.#inputs.read(batch, row), batch.endpoint as BatchEndpoint)
    if (isProblem(line)) throw new Error('the input file was changed after its validation')
    let record: RequestRecord | null = null
    const reply = await send({
      endpoint: batch.endpoint as BatchEndpoint,
      body: line.body,
      key,
      signal: abort.signal,
      line: {
        batch: batch.id,
        line: row.line,
        priceFactor: priceFactor(key.account),
        keep: kept => {
          record = kept
        },
        kept: job.kept.promise,
        preempt: () => this.#abort(job, 'preempted'),
        waits: () => {
          job.isInTransit = false
        },
        sent: () => {
          job.isSent = true
        },
      },
    })
    const verdict = verdictOf(reply)
    if (verdict === 'again') {
      count(row.model, 'retried')
      return nextTry(row.attempts, clock.now())
    }
    if (verdict === 'no money') {
      this.#turns.wait(batch.id, MONEY_MS)
      return { attempts: row.attempts, notBefore: 0 }
    }
    const at = clock.now()
    const home = { id: batch.id, owner: batch.owner, account: batch.account_id, expiresAt: batch.expires_at + keptMs }
    const text = replyLine(uuidv7(at), line.customId, reply)
    keeper.add(
      home,
      { batch: batch.id, line: row.line, at, hasFailed: verdict === 'failed', record, text },
      job.kept.resolve,
    )
    count(row.model, verdict)
    return undefined
  }

  /** The lines that are left cannot be read any more. */
  async #cancel({ batch, row: { attempts } }: Job): Promise<{ attempts: number; notBefore: number }> {
    const { store, clock, log } = this.#parts
    const now = clock.now()
    try {
      if (await cancelBatch(store, batch.id, now))
        log.warn({ batch: batch.id }, 'a batch is cancelled: its input file was removed')
    } catch (err) {
      log.warn({ err, batch: batch.id }, 'a batch whose input file was removed cannot be cancelled: tried again')
    }
    return { attempts, notBefore: now + EMPTY_MS }
  }

  async #release({ id }: OpenBatch, { line }: BatchLineRow, next: { attempts: number; notBefore: number }) {
    const { store, worker, log, failed } = this.#parts
    await releaseLines(store, worker, [{ batch: id, line, ...next }]).catch(err => {
      log.warn({ err }, 'a line of a batch cannot be given back')
      failed()
    })
  }
}
