/** Batches of a process: the service for customers, and the worker, which is replaced when it has lost its lease. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import { queuedLines } from '../store/batch-lines.ts'
import { queryRunner } from '../store/query-runner.ts'
import type { Batches } from './batch.ts'
import { batchMetrics } from './metrics.ts'
import { StoredBatches } from './service.ts'
import { BatchWorker, type WorkerParts } from './worker.ts'

interface RunnerParts extends Omit<WorkerParts, 'metrics'> {
  readonly metrics: Metrics
}

const RESTART_MS = 1000
/** How often waiting lines are counted. */
const COUNT_MS = 15_000

export class BatchRunner {
  readonly service: Batches
  readonly #parts: WorkerParts
  #worker: BatchWorker | undefined
  #queued: ReadonlyMap<string, number> = new Map()
  #endCount: () => Promise<void> = async () => {}
  #isClosing = false

  constructor({ metrics, ...parts }: RunnerParts) {
    const { store, files, config, clock } = parts
    this.service = new StoredBatches({
      run: queryRunner(store),
      files,
      config,
      clock,
      changed: () => void this.#worker?.round().catch(() => {}),
    })
    this.#parts = {
      ...parts,
      metrics: batchMetrics(metrics, clock, {
        inFlight: () => this.#worker?.inFlight ?? new Map(),
        queued: () => this.#queued,
        paused: () => this.#worker?.paused ?? null,
      }),
    }
  }

  /** Runs lines from now on. */
  start(): void {
    const { store, log } = this.#parts
    void this.#run()
    this.#endCount = hourly(
      async () => {
        await store.prepare()
        this.#queued = await queuedLines(store.reader)
      },
      err => log.debug({ err }, 'waiting lines of batches cannot be counted'),
      COUNT_MS,
    )
  }

  /** Claims nothing more. Lines in flight go on. */
  stop(): void {
    this.#isClosing = true
    this.#worker?.stop()
  }

  /** Aborts lines in flight, and gives all lines back. */
  async close(): Promise<void> {
    this.stop()
    await this.#endCount()
    await this.#worker?.close()
    this.#worker = undefined
  }

  async #run(): Promise<void> {
    const { log } = this.#parts
    let isFailing = false
    while (!this.#isClosing) {
      const worker = new BatchWorker(this.#parts)
      try {
        await worker.start()
        this.#worker = worker
        isFailing = false
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'batches cannot be run: tried again')
        isFailing = true
        await sleep(RESTART_MS, undefined, { ref: false })
        continue
      }
      await worker.ended
      if (this.#isClosing) return
      log.warn('this process has lost its lease on lines of batches, or the store has failed: they run again')
      await worker.abandon()
    }
  }
}
