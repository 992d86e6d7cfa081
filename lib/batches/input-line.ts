/** A line of an input file: `{custom_id, method, url, body}`. */
import { isObject } from '../base/json.ts'
import { parseEnvelope } from '../body/index.ts'
import { GatewayError } from '../errors/errors.ts'
import type { BatchEndpoint, BatchProblem } from './batch.ts'

const MAX_ID_CHARACTERS = 256

export interface InputLine {
  readonly customId: string
  /** JSON. */
  readonly body: Buffer
}

type Problem = Omit<BatchProblem, 'line'>

const NO_OBJECT: Problem = { code: 'invalid_json_line', message: 'This line is not a valid JSON object.', param: null }

/** The line, or what is wrong with it. */
export function readInputLine(bytes: Buffer, endpoint: BatchEndpoint): InputLine | Problem {
  const read = parsed(bytes)
  if ('code' in read) return read
  const { value: line, bytesOf } = read
  if (!isObject(line)) return NO_OBJECT
  const { custom_id: customId, method, url, body } = line
  if (customId === undefined || customId === null || customId === '')
    return { code: 'missing_custom_id', message: "This line has no 'custom_id'.", param: 'custom_id' }
  if (typeof customId !== 'string' || customId.length > MAX_ID_CHARACTERS)
    return invalid('custom_id', `'custom_id' must be a string of 1 to ${MAX_ID_CHARACTERS} characters.`)
  if (url !== endpoint)
    return { code: 'mismatched_url', message: `'url' must be '${endpoint}', the endpoint of the batch.`, param: 'url' }
  if (method !== 'POST') return invalid('method', "'method' must be 'POST'.")
  if (!isObject(body)) return invalid('body', "'body' must be an object.")
  if (body.stream !== undefined && body.stream !== null && body.stream !== false)
    return invalid('body.stream', 'Requests of a batch cannot be streamed.')
  return { customId, body: bytesOf(body) }
}

function parsed(bytes: Buffer): ReturnType<typeof parseEnvelope> | Problem {
  try {
    return parseEnvelope(bytes)
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    const { code, message } = thrown
    return code === 'invalid_json_request' ? NO_OBJECT : { code: 'schema_validation_failed', message, param: 'body' }
  }
}

export function isProblem(line: InputLine | Problem): line is Problem {
  return 'code' in line
}

function invalid(param: string, message: string): Problem {
  return { code: 'schema_validation_failed', message, param }
}

/** The custom id of a line that readInputLine() has accepted. null: it cannot be read any more. */
export function customIdOf(bytes: Buffer): string | null {
  const read = parsed(bytes)
  return 'value' in read && isObject(read.value) && typeof read.value.custom_id === 'string'
    ? read.value.custom_id
    : null
}
