import { Worker } from 'node:worker_threads'
import { failure } from '../errors.ts'
import type { Json } from '../json.ts'
import { newMark } from './detach.ts'
import { type RawBody, wholeText } from './raw.ts'
import { joined, type SlicedBody } from './slices.ts'
import type { DetachedTexts } from './texts.ts'

export interface WorkerJob {
  readonly id: number
  readonly bytes: Uint8Array
  /** So many texts have been taken out of it before. */
  readonly first: number
}

export type WorkerAnswer =
  | {
      readonly ok: true
      readonly id: number
      readonly body: SlicedBody
      readonly values: number
      readonly texts: readonly Uint8Array<ArrayBuffer>[]
    }
  | {
      readonly ok: false
      readonly id: number
      readonly code: 'invalid_json_request' | 'schema_validation_failed'
      readonly problem: string
    }

export interface ParsedBody {
  readonly body: Json
  readonly detached: DetachedTexts
  /** About how many single values it holds. */
  readonly values: number
}

interface Pending {
  /** What was taken out before. */
  readonly detached: DetachedTexts
  resolve(parsed: ParsedBody): void
  reject(reason: unknown): void
}

/** Parses large bodies on another thread, which is started with the first of them. */
export class BodyWorker {
  readonly mark = newMark()
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #next = 0

  /** Takes the body over: the caller must not use it afterwards. */
  parse(raw: RawBody, signal: AbortSignal): Promise<ParsedBody> {
    const { detached } = raw
    const bytes = wholeText(raw)
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(bytes)
    const own = new Uint8Array(whole.buffer as ArrayBuffer, whole.byteOffset, whole.byteLength)
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { detached, resolve, reject })
      signal.addEventListener('abort', () => this.#settle(id)?.reject(signal.reason), { once: true })
      this.#running().postMessage(
        { id, bytes: own, first: detached.count } satisfies WorkerJob,
        own.byteLength === own.buffer.byteLength ? [own.buffer] : [],
      )
    })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js'
    const worker = new Worker(new URL(file, import.meta.url), { workerData: { mark: this.mark }, name: 'body-parser' })
    worker.unref()
    worker.on('message', (answer: WorkerAnswer) => void this.#answered(answer))
    // A body that exhausts the thread's memory ends the thread, not the process; the next one gets a new thread.
    worker.on('error', cause => this.#lost(worker, cause))
    worker.on('exit', () => this.#lost(worker, new Error('the body parser ended')))
    this.#worker = worker
    return worker
  }

  async #answered(answer: WorkerAnswer): Promise<void> {
    const { id } = answer
    if (!answer.ok) return this.#settle(id)?.reject(failure(answer.code, { problem: answer.problem }))
    const body = await joined(answer.body, () => this.#pending.has(id))
    if (body === undefined) return
    const pending = this.#settle(id)
    if (pending === undefined) return
    const { detached } = pending
    for (const text of answer.texts) detached.begin(Buffer.from(text.buffer), 0, text.length)
    pending.resolve({ body, detached, values: answer.values })
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #lost(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(failure('internal_error', {}, { cause }))
  }
}
