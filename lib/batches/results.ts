/** Results of lines: as records of a part, and as lines of the files that customers get. */
import { hexOfUuid } from '../base/ids.ts'
import { isObject, type Json, parseJson } from '../base/json.ts'
import type { EndedLine } from '../store/batch-lines.ts'
import type { RequestRecord } from '../store/record.ts'
import { LINE_FEED } from './lines.ts'

export interface Result {
  readonly batch: string
  readonly line: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly hasFailed: boolean
  readonly record: RequestRecord | null
  /** The line of the output or error file, without a line break. */
  readonly text: string
}

/** The record of a part: one line with what the gateway needs, and the line of the file. */
export function encodeResult({ line, at, hasFailed, record, text }: Result): Buffer {
  return Buffer.from(`${JSON.stringify({ line, at, hasFailed, record })}\n${text}`)
}

/** `bytes`: what encodeResult() has returned. */
export function decodeResult(batch: string, bytes: Buffer): Result {
  const end = bytes.indexOf(LINE_FEED)
  const about = parseJson(bytes.toString('utf8', 0, end)) as unknown as Omit<Result, 'batch' | 'text'>
  return { ...about, batch, text: bytes.toString('utf8', end + 1) }
}

export function endedLine({ batch, line, hasFailed, record }: Result): EndedLine {
  return {
    batch,
    line,
    hasFailed,
    inputTokens: record?.input_tokens ?? 0,
    cachedTokens: record?.cache_read_tokens ?? 0,
    outputTokens: record?.output_tokens ?? 0,
    reasoningTokens: record?.reasoning_tokens ?? 0,
  }
}

interface Reply {
  readonly requestId: string
  readonly status: number
  readonly body: string
}

/** The line of a request that has run to its end. `id`: a UUID. */
export function replyLine(id: string, customId: string | null, { requestId, status, body }: Reply): string {
  const head = `{"id":"batch_req_${hexOfUuid(id)}","custom_id":${JSON.stringify(customId)},`
  return `${head}"response":{"status_code":${status},"request_id":${JSON.stringify(requestId)},"body":${oneLine(body)}},"error":null}`
}

/** The line of a request that was not run. */
export function unrunLine(id: string, customId: string | null, code: 'batch_expired' | 'batch_cancelled'): string {
  const message =
    code === 'batch_expired'
      ? 'This request was not executed before the batch expired.'
      : 'This request was not executed because the batch was cancelled.'
  const line = { id: `batch_req_${hexOfUuid(id)}`, custom_id: customId, response: null, error: { code, message } }
  return JSON.stringify(line)
}

/** The JSON in one line. Line breaks in valid JSON are between its values. */
function oneLine(body: string): string {
  if (parseJson(body) === undefined) return JSON.stringify(body)
  return /[\r\n]/.test(body) ? body.replaceAll(/[\r\n]+/g, ' ') : body
}

/** The code of an error envelope; undefined: the text is none. */
export function errorCode(body: string): Json | undefined {
  const value = parseJson(body)
  return isObject(value) && isObject(value.error) ? value.error.code : undefined
}
