import { isUtf8 } from 'node:buffer'
import { type Json, parseText } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { NOT_JSON, NOT_UTF8 } from './json-limits.ts'

/** Parses JSON. Refuses what RFC 8259 does not allow: other encodings, an empty body, text that is not JSON. */
export function parse(bytes: Buffer): Json {
  if (bytes.length === 0) fail('invalid_json_request', { problem: 'The body is empty: send a JSON object.' })
  if (!isUtf8(bytes)) fail('invalid_json_request', { problem: NOT_UTF8 })
  try {
    return parseText(bytes.toString('utf8'))
  } catch {
    // V8's own message quotes the body, which must not leave the process.
    fail('invalid_json_request', { problem: NOT_JSON })
  }
}
