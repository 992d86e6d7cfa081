/** The end of a batch: its parts become the output file and the error file, and its folder is removed. */

import type { Clock } from '../base/clock.ts'
import { uuidv7 } from '../base/ids.ts'
import { nextTurn } from '../base/long-work.ts'
import { BATCH_OUTPUT_PURPOSE } from '../files/files.ts'
import { type FileStore, newFileId } from '../files/store.ts'
import { hasHeldLines, leftLines, linesAfter } from '../store/batch-lines.ts'
import { changeBatch, type OpenBatch, removeLines } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import { customIdOf } from './input-line.ts'
import { Inputs } from './inputs.ts'
import { linesOf } from './lines.ts'
import { mergedResults } from './merge.ts'
import { unrunLine } from './results.ts'

interface FinalizeHost {
  readonly store: Session
  readonly files: FileStore
  readonly worker: string
  readonly clock: Clock
}

interface EndedBatch {
  readonly status: 'cancelled' | 'expired' | 'completed'
  /** Lines that were not run, by model. '': the model is not known. */
  readonly left: ReadonlyMap<string, number>
}

/** Rows per query. */
const PAGE = 500

/**
 * Takes a batch whose lines have all ended, that has expired, or that is cancelled. undefined: another process has it,
 * or its lines still run.
 */
export async function takeEnded(batch: OpenBatch, host: FinalizeHost): Promise<OpenBatch | undefined> {
  const { store, worker, clock } = host
  const { id } = batch
  const now = clock.now()
  const status = batch.status === 'cancelling' ? 'cancelling' : 'finalizing'
  // Chosen before the files are written, so that a repetition finds them.
  const ids = {
    output_file_id: batch.output_file_id ?? newFileId(now),
    error_file_id: batch.error_file_id ?? newFileId(now),
  }
  const times = status === 'finalizing' ? { finalizing_at: batch.finalizing_at ?? now } : {}
  const change = { ...ids, ...times, status, holder: worker }
  if (!(await changeBatch(store, id, { status: [batch.status], holder: null }, change))) return undefined
  if (!(await hasHeldLines(store, id))) return { ...batch, ...change }
  await changeBatch(store, id, { status: [status], holder: worker }, { holder: null })
  return undefined
}

/**
 * Publishes the result files of a batch that takeEnded() has returned. undefined: another process has it now.
 * `isRemoved`: its account was removed, for which nothing may be stored.
 */
export async function finalize(
  batch: OpenBatch,
  host: FinalizeHost,
  isRemoved = false,
): Promise<EndedBatch | undefined> {
  const { store, files, worker, clock } = host
  const { id, owner, account_id: account, output_seconds: seconds } = batch
  const isCancelled = batch.status === 'cancelling'
  const code = isCancelled ? 'batch_cancelled' : 'batch_expired'
  let unrun = 0
  const write = async (file: string, kind: string, lines: AsyncGenerator<string>) => {
    const first = await lines.next()
    if (first.done || isRemoved) return null
    const about = { id: file, filename: `${id}_${kind}.jsonl`, purpose: BATCH_OUTPUT_PURPOSE, account }
    await files.createFrom(owner, { ...about, seconds: seconds ?? undefined }, bytesOf(first.value, lines))
    return file
  }
  const errors = async function* () {
    yield* resultLines(batch, files, true)
    for await (const customId of unrunIds(batch, host)) {
      unrun++
      yield unrunLine(uuidv7(clock.now()), customId, code)
    }
  }
  const output = await write(batch.output_file_id!, 'output', resultLines(batch, files, false))
  const errorFile = await write(batch.error_file_id!, 'error', errors())
  const left = batch.total === 0 ? unrun : batch.total - batch.completed - batch.failed
  const byModel = batch.in_progress_at === null ? new Map([['', left]]) : await leftLines(store, id)
  const status = isCancelled ? 'cancelled' : left > 0 ? 'expired' : 'completed'
  const ended = await changeBatch(
    store,
    id,
    { status: [batch.status], holder: worker },
    {
      status,
      [`${status}_at`]: clock.now(),
      output_file_id: output,
      error_file_id: errorFile,
      ...(status !== 'completed' && { [status]: left }),
      ...(batch.total === 0 && { total: unrun }),
    },
  )
  if (!ended) return undefined
  await clear({ ...batch, status }, host)
  return { status, left: byModel }
}

/** Removes what is left of a batch that has ended. May be repeated. */
export async function clear(batch: OpenBatch, { store, files }: FinalizeHost): Promise<void> {
  const { id, owner, api, input_file_id: input } = batch
  await removeLines(store, id)
  await files.folder(owner, id).remove()
  if (api === 'anthropic') await files.removeAny(owner, input)
  await changeBatch(store, id, { status: [batch.status] }, { cleared: 1, holder: null })
}

async function* resultLines(batch: OpenBatch, files: FileStore, wantFailed: boolean): AsyncGenerator<string> {
  for await (const { hasFailed, text } of mergedResults(batch, files.folder(batch.owner, batch.id)))
    if (hasFailed === wantFailed) yield text
}

/** The custom ids of lines that were not run, in their order. */
async function* unrunIds(batch: OpenBatch, { store, files }: FinalizeHost): AsyncGenerator<string | null> {
  const { id, owner, input_file_id: input } = batch
  // Cancelled before its validation had stored all lines.
  if (batch.in_progress_at === null) {
    const file = await files.findAny(owner, input)
    if (file === undefined) return
    for await (const { bytes } of linesOf(files.stream(owner, file), Number.POSITIVE_INFINITY)) yield customIdOf(bytes!)
    return
  }
  const inputs = new Inputs(files)
  try {
    for (let after = 0; ; ) {
      const rows = await linesAfter(store, id, after, PAGE)
      for (const row of rows)
        yield await inputs.read(batch, row).then(
          customIdOf,
          // The customer has removed the input file.
          () => null,
        )
      if (rows.length < PAGE) return
      after = rows.at(-1)!.line
    }
  } finally {
    inputs.keep(() => false)
  }
}

async function* bytesOf(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${first}\n`)
  for await (const line of rest) {
    await nextTurn()
    yield Buffer.from(`${line}\n`)
  }
}
