/** Validation of input files: one pass, in which each accepted line becomes a row of the store. */
import { hash } from 'node:crypto'
import type { Key } from '../accounts/access.ts'
import { nextTurn } from '../base/long-work.ts'
import type { Config } from '../config/config.ts'
import { addLines } from '../store/batch-lines.ts'
import type { Session } from '../store/database.ts'
import type { BatchApi, BatchEndpoint, BatchProblem } from './batch.ts'
import { isProblem, readInputLine } from './input-line.ts'
import { linesOf } from './lines.ts'

/** What the rules of the chain say about the body of a line, without a backend. */
export type LineCheck = (
  endpoint: BatchEndpoint,
  body: Buffer,
  key: Key,
) => Promise<{ readonly problem: Omit<BatchProblem, 'line'> } | { readonly model: string; readonly prefix: string }>

interface Input {
  readonly id: string
  readonly api: BatchApi
  readonly endpoint: BatchEndpoint
  readonly key: Key
  readonly pieces: AsyncIterable<Uint8Array>
}

interface ValidatorHost {
  readonly store: Session
  readonly holder: string
  readonly check: LineCheck
  readonly config: Pick<Config, 'batches' | 'body_limit_bytes'>
}

/** `gone`: the batch was cancelled, or this process does not hold it any more. */
export type Validation =
  | {
      readonly result: 'valid'
      readonly total: number
      readonly model: string | null
      readonly models: readonly string[]
    }
  | { readonly result: 'invalid'; readonly problems: readonly BatchProblem[] }
  | { readonly result: 'gone' }

const MAX_PROBLEMS = 100
/** Rows per transaction. */
const ROWS = 500
/** Bytes of a line besides its body: `custom_id`, `method` and `url`. */
const ENVELOPE_BYTES = 8192

/** Reads the whole input. Lines of the Messages API that the chain refuses are accepted: their results are errors. */
export async function validate(input: Input, { store, holder, check, config }: ValidatorHost): Promise<Validation> {
  const { id, api, endpoint, key, pieces } = input
  const maxRequests = config.batches?.max_requests ?? 0
  const problems: BatchProblem[] = []
  const ids = new Set<string>()
  const models = new Set<string>()
  let total = 0
  let rows: Parameters<typeof addLines>[3][number][] = []
  const note = (line: number | null, problem: Omit<BatchProblem, 'line'>) => {
    problems.push({ ...problem, line })
    return problems.length >= MAX_PROBLEMS
  }
  for await (const { number, position, length, bytes } of linesOf(pieces, config.body_limit_bytes + ENVELOPE_BYTES)) {
    if (++total > maxRequests) {
      note(null, {
        code: 'too_many_requests',
        message: `The file has more than ${maxRequests} requests, which is the maximum of a batch.`,
        param: null,
      })
      break
    }
    await nextTurn()
    const read = bytes === null ? tooLong(config.body_limit_bytes) : readInputLine(bytes, endpoint)
    if (isProblem(read)) {
      if (note(number, read)) break
      continue
    }
    const digest = hash('sha1', read.customId, 'base64')
    if (ids.has(digest)) {
      const message = "An earlier line has the same 'custom_id'."
      if (note(number, { code: 'duplicate_custom_id', message, param: 'custom_id' })) break
      continue
    }
    ids.add(digest)
    const found = await check(endpoint, read.body, key)
    if ('problem' in found && api === 'openai') {
      if (note(number, found.problem)) break
      continue
    }
    const { model, prefix } = 'problem' in found ? { model: '', prefix: '' } : found
    models.add(model)
    // Rows are of no use once a line is wrong.
    if (problems.length === 0) rows.push({ line: number, position, length, model, prefix })
    if (rows.length < ROWS) continue
    if (!(await addLines(store, id, holder, rows))) return { result: 'gone' }
    rows = []
  }
  if (total === 0) note(null, { code: 'empty_file', message: 'The file has no requests.', param: null })
  if (problems.length > 0) return { result: 'invalid', problems }
  if (!(await addLines(store, id, holder, rows))) return { result: 'gone' }
  return { result: 'valid', total, model: models.size === 1 ? [...models][0]! || null : null, models: [...models] }
}

function tooLong(limit: number): Omit<BatchProblem, 'line'> {
  const message = `The line is longer than a body may be: ${limit} bytes.`
  return { code: 'schema_validation_failed', message, param: 'body' }
}
