/** The batches of customers: what the routes of both APIs do. */
import { Readable } from 'node:stream'
import type { Key } from '../accounts/access.ts'
import type { Clock } from '../base/clock.ts'
import { type Config, windowMilliseconds } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'
import { BATCH_PURPOSE, HIDDEN_PURPOSE, type StoredFile } from '../files/files.ts'
import type { FileStore } from '../files/store.ts'
import { cancelBatch, cancelReaders, createBatch, findBatch, listBatches, removeBatch } from '../store/batches.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { type Batch, type BatchApi, type Batches, type BatchPage, hasEnded, type NewBatch } from './batch.ts'
import { LINE_FEED } from './lines.ts'
import { messageResults } from './message-results.ts'
import { keyRights, newBatchId, toBatch } from './stored.ts'

/** Seconds after which a request that a limit has refused may be sent again. */
const RETRY_AFTER = 60
const REMOVED_RESULTS = 'The results of this batch were deleted, or have expired.'

interface ServiceParts {
  readonly run: RunQuery
  readonly files: FileStore
  readonly config: () => Config
  readonly clock: Clock
  /** Called after each change, so that it is effective at once in this process. */
  readonly changed: () => void
}

export class StoredBatches implements Batches {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  async create(key: Key, owner: string, wanted: NewBatch): Promise<Batch> {
    const { run, files, config, clock, changed } = this.#parts
    const { batches: limits } = config()
    if (limits === undefined) fail('http_404', { problem: 'This gateway has no batches.' })
    const now = clock.now()
    const id = newBatchId(wanted.api, now)
    const account = key.account.id
    const windowMs = windowMilliseconds(wanted.window) ?? 0
    const input = await this.#inputOf(owner, account, id, wanted.input)
    const row = {
      id,
      api: wanted.api,
      owner,
      account_id: account,
      user_id: key.user ?? '',
      key_id: key.id,
      key_rights: keyRights(key),
      endpoint: wanted.endpoint,
      completion_window: wanted.window,
      metadata: wanted.metadata === null ? null : JSON.stringify(wanted.metadata),
      output_seconds: wanted.outputExpiresSeconds,
      status: 'validating',
      input_file_id: input.file,
      created_at: now,
      expires_at: now + windowMs,
      total: input.lines,
    }
    const maximum = { batches: limits.max_unfinished, lines: limits.max_queued_requests }
    try {
      const exceeded = await run(session => createBatch(session, row, maximum, Math.max(1, input.lines)))
      if (exceeded !== undefined) refuse(exceeded, maximum[exceeded])
      changed()
      return (await this.find(owner, wanted.api, id))!
    } catch (error) {
      if (typeof wanted.input !== 'string') await files.removeAny(owner, input.file).catch(() => {})
      throw error
    }
  }

  async find(owner: string, api: BatchApi, id: string): Promise<Batch | undefined> {
    const row = await this.#parts.run(session => findBatch(session, owner, api, id))
    return row && toBatch(row)
  }

  async list(owner: string, page: BatchPage) {
    const rows = await this.#parts.run(session => listBatches(session, owner, page))
    const hasMore = rows.length > page.limit
    const batches = rows.slice(0, page.limit).map(toBatch)
    return { batches: page.before === undefined ? batches : batches.toReversed(), hasMore }
  }

  async cancel(owner: string, api: BatchApi, id: string): Promise<Batch | undefined> {
    const { run, clock, changed } = this.#parts
    const batch = await this.find(owner, api, id)
    if (batch === undefined || hasEnded(batch.status)) return batch
    if (await run(session => cancelBatch(session, id, clock.now()))) changed()
    return this.find(owner, api, id)
  }

  async inputRemoved(owner: string, fileId: string): Promise<void> {
    const { run, clock, changed } = this.#parts
    if (await run(session => cancelReaders(session, owner, fileId, clock.now()))) changed()
  }

  async remove(owner: string, api: BatchApi, id: string): Promise<boolean> {
    const { run, files } = this.#parts
    const batch = await this.find(owner, api, id)
    if (batch === undefined || !hasEnded(batch.status)) return false
    const own = api === 'anthropic' ? [batch.inputFileId] : []
    for (const file of [...own, batch.outputFileId, batch.errorFileId])
      if (file !== null) await files.removeAny(owner, file)
    await files.folder(owner, id).remove()
    await run(session => removeBatch(session, id))
    return true
  }

  results(owner: string, { outputFileId, errorFileId }: Batch): Readable {
    const { files } = this.#parts
    return Readable.from(
      messageResults(async function* () {
        const found: StoredFile[] = []
        for (const id of [outputFileId, errorFileId].filter(id => id !== null))
          found.push((await files.find(owner, id)) ?? fail('http_404', { problem: REMOVED_RESULTS }))
        for (const file of found) yield* files.stream(owner, file) as AsyncIterable<Buffer>
      }),
      { objectMode: false },
    )
  }

  /** The input file. `lines`: 0 if they are not counted. */
  async #inputOf(owner: string, account: string, batch: string, input: NewBatch['input']) {
    const { files } = this.#parts
    if (typeof input === 'string') {
      const file = await files.find(owner, input)
      if (file?.purpose === BATCH_PURPOSE) return { file: input, lines: 0 }
      const problem = `There is no file with this 'input_file_id' and the purpose '${BATCH_PURPOSE}'.`
      return fail('http_404', { problem }, { param: 'input_file_id', ownParam: true })
    }
    let lines = 0
    const counted = async function* () {
      for await (const piece of input) {
        for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) lines++
        yield piece
      }
    }
    const about = { filename: `${batch}.jsonl`, purpose: HIDDEN_PURPOSE, account }
    const { id } = await files.createFrom(owner, about, counted())
    return { file: id, lines }
  }
}

function refuse(exceeded: 'batches' | 'lines', limit: number): never {
  const what = exceeded === 'batches' ? `${limit} batches` : `${limit} requests in batches`
  const details = { headers: limitHeaders(limit, RETRY_AFTER), shouldRetry: false }
  fail(
    'batch_limit_exceeded',
    { problem: `This account may have at most ${what} that have not ended: wait until some have, or cancel some.` },
    details,
  )
}
