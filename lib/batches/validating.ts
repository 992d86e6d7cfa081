/** Validates a new batch, and starts it or lets it fail. */
import type { Account } from '../accounts/access.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { FileStore } from '../files/store.ts'
import { changeBatch, type OpenBatch, removeLines, startBatch } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import type { BatchApi, BatchEndpoint, BatchProblem } from './batch.ts'
import { keyOfBatch } from './stored.ts'
import { type LineCheck, type Validation, validate } from './validate.ts'

interface Host {
  readonly store: Session
  readonly files: FileStore
  readonly check: LineCheck
  readonly config: () => Config
  readonly clock: Clock
  readonly worker: string
}

const NO_FILE = { code: 'empty_file', message: 'The input file was removed.', line: null, param: 'input_file_id' }

/** Does nothing if another process validates the batch. */
export async function validateInput(batch: OpenBatch, account: Account, host: Host): Promise<void> {
  const { store, clock, worker, config } = host
  const { id, account_id } = batch
  const own = { status: ['validating'], holder: worker }
  if (!(await changeBatch(store, id, { status: ['validating'], holder: null }, { holder: worker }))) return
  // Those of a validation that was interrupted.
  await removeLines(store, id)
  const found = await resultOf(batch, account, host)
  const fail = async (problems: readonly BatchProblem[]) => {
    const failed_at = clock.now()
    await changeBatch(store, id, own, { status: 'failed', failed_at, problems: JSON.stringify(problems), holder: null })
  }
  if (found.result === 'invalid') await fail(found.problems)
  else if (found.result === 'valid') {
    const { total, model, models } = found
    const limit = config().batches?.max_queued_requests ?? 0
    const validated = { id, account: account_id, holder: worker, total, model, models }
    if ((await startBatch(store, validated, limit, clock.now())) === 'lines') {
      const message = `This account may have at most ${limit} requests in batches that have not ended.`
      await fail([{ code: 'batch_limit_exceeded', message, line: null, param: null }])
    }
  }
  // It was cancelled meanwhile.
  await changeBatch(store, id, { status: ['cancelling'], holder: worker }, { holder: null })
}

async function resultOf(batch: OpenBatch, account: Account, host: Host): Promise<Validation> {
  const { store, files, worker, check, config } = host
  const { id, owner } = batch
  const file = await files.findAny(owner, batch.input_file_id)
  if (file === undefined) return { result: 'invalid', problems: [NO_FILE] }
  const input = {
    id,
    api: batch.api as BatchApi,
    endpoint: batch.endpoint as BatchEndpoint,
    key: keyOfBatch(batch, account),
    pieces: files.stream(owner, file),
  }
  return validate(input, { store, holder: worker, check, config: config() })
}
