/** How an operation of the OpenAPI document is described. */
import type { ErrorCode } from '../../../lib/console.ts'

export const BYTES = Symbol('bytes')
export const AUDIO = Symbol('audio')
export const LINES = Symbol('JSON lines')

export interface Operation {
  readonly tag: 'Inference' | 'Models' | 'Files' | 'Batches' | 'Inspection' | 'Usage' | 'Console' | 'Service'
  readonly summary: string
  /** Schema of the query under schemas/queries. */
  readonly query?: string
  /** Schema of the form under schemas/bodies, for a body that is multipart/form-data. */
  readonly form?: string
  /** Schema under schemas/replies; null: an HTML page; BYTES, AUDIO, LINES: not JSON; undefined: no body. */
  readonly reply?: string | null | typeof BYTES | typeof AUDIO | typeof LINES
  /** With `stream: true` in the body the reply is a stream of events. */
  readonly streams?: true
  /** Error codes in addition to those of every request. */
  readonly errors: readonly ErrorCode[]
}

/** Errors of a JSON body. */
export const BODY = [
  'invalid_json_request',
  'schema_validation_failed',
  'unsupported_parameter',
  'request_body_too_large',
  'request_memory_exceeded',
  'gateway_overloaded',
  'http_415',
] as const

/** Codes of every operation that needs a key. */
export const KEY = ['missing_api_key', 'invalid_api_key', 'http_403', 'invalid_zdr_header'] as const
