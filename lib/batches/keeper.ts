/**
 * Makes results durable, in groups: first in a part of the batch, then their records in the journal, then in the store.
 * Lines whose process has lost its lease belong to its heir, which reads what is in the parts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FileStore } from '../files/store.ts'
import type { RecordSink } from '../records/journal.ts'
import { endLines } from '../store/batch-lines.ts'
import { isWorker } from '../store/batch-workers.ts'
import { type Session, transact } from '../store/database.ts'
import { DiskState } from './disk-state.ts'
import { encodeResult, endedLine, type Result } from './results.ts'

/** The batch of a result. */
interface Home {
  readonly id: string
  readonly owner: string
  readonly account: string
  /** After this time, its folder may be deleted. Milliseconds since the epoch. */
  readonly expiresAt: number
}

interface Pending {
  readonly home: Home
  readonly result: Result
  readonly kept: (isDurable: boolean) => void
}

type PartWriter = Awaited<ReturnType<ReturnType<FileStore['folder']>['createPart']>>

interface KeeperParts {
  readonly store: Session
  readonly files: FileStore
  readonly records: RecordSink
  readonly log: Logger
  readonly worker: string
  /** Results are stored. */
  readonly stored: (results: readonly Result[]) => void
  /** The lease is lost: nothing is kept any more. */
  readonly lost: () => void
}

const RETRY_MS = 1000
/** Parts that are flushed at the same time. The four threads of libuv's pool also look up the names of backends. */
const MAX_FLUSHES = 2

export class ResultKeeper {
  readonly disk: DiskState
  readonly #parts: KeeperParts
  readonly #writers = new Map<string, PartWriter>()
  #opened = 0
  #pending: Pending[] = []
  #running: Promise<void> | undefined
  #isLost = false

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.disk = new DiskState(parts.log)
  }

  /** `kept`: called with true when the result is durable and counts, or else with false. The first call counts. */
  add(home: Home, result: Result, kept: Pending['kept']): void {
    if (this.#isLost) return kept(false)
    this.#pending.push({ home, result, kept })
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Resolves when no result waits. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Closes the part of a batch that has ended. */
  async release(batch: string): Promise<void> {
    const writer = this.#writers.get(batch)
    this.#writers.delete(batch)
    await writer?.close()
  }

  /** Gives up what waits, and closes all parts. */
  async close(): Promise<void> {
    this.#isLost = true
    await this.#running
    for (const batch of this.#writers.keys()) await this.release(batch)
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const all = this.#pending
      this.#pending = []
      const groups = [...Map.groupBy(all, ({ home }) => home.id).values()]
      const written: Pending[] = []
      for (let i = 0; i < groups.length; i += MAX_FLUSHES) {
        const some = groups.slice(i, i + MAX_FLUSHES).map(group => this.#append(group))
        written.push(...(await Promise.all(some)).flat())
      }
      await this.#store(written)
      if (this.#isLost) for (const { kept } of [...all, ...this.#pending.splice(0)]) kept(false)
      else if (this.disk.paused !== null) await sleep(RETRY_MS)
    }
  }

  /** The results that are in a part. The others wait for the next round. */
  async #append(group: readonly Pending[]): Promise<readonly Pending[]> {
    const { home } = group[0]!
    const { id } = home
    try {
      const writer = this.#writers.get(id) ?? (await this.#open(home))
      await writer.append(group.map(({ result }) => encodeResult(result)))
      this.disk.written(id)
      return group
    } catch (err) {
      this.disk.failed(id, err)
      // The end of the part may be unknown.
      await this.release(id).catch(() => {})
      this.#pending.push(...group)
      return []
    }
  }

  async #open({ id, owner, account, expiresAt }: Home): Promise<PartWriter> {
    const folder = await this.#parts.files.createFolder(owner, id, { account, expiresAt })
    const writer = await folder.createPart(`${this.#parts.worker}-${++this.#opened}`)
    this.#writers.set(id, writer)
    return writer
  }

  async #store(written: readonly Pending[]): Promise<void> {
    const { store, records, log, worker, stored, lost } = this.#parts
    if (written.length === 0) return
    const results = written.map(({ result }) => result)
    let isRecorded = false
    for (let tries = 1; ; tries++) {
      try {
        // An heir that takes over later finds these results in the parts.
        if (!(await isWorker(store, worker))) {
          this.#isLost = true
          return lost()
        }
        if (!isRecorded) {
          for (const { record } of results) if (record !== null) records.append(record)
          for (const { kept } of written) kept(true)
        }
        isRecorded = true
        await transact(store, own => endLines(own, worker, results.map(endedLine)))
        return stored(results)
      } catch (err) {
        if (tries === 1) log.warn({ err }, 'ended lines of batches cannot be stored: tried again')
        if (this.#isLost) return
        await sleep(RETRY_MS)
      }
    }
  }
}
