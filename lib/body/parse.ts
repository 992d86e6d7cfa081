import { isUtf8 } from 'node:buffer'
import { type Json, parseText } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { MAX_DEPTH, notJson, type ScannedJson, scanJson, splitPoint } from './json-scan.ts'
import { LongTexts } from './long-texts.ts'

/** A body as it was received and parsed. */
export interface ParsedBody {
  /** With a placeholder for each long text. */
  readonly value: Json
  readonly texts: LongTexts
  /** Number of JSON values, about. */
  readonly values: number
}

/**
 * Bytes of a long text that stay before its placeholder: enough for `data:image/png;base64,` and for a first line that a
 * format removes.
 */
const START_BYTES = 256

/** Scans a body before it is parsed. Refuses an empty one, other encodings than UTF-8, and too many values. */
export function scanBody(bytes: Buffer, shortest?: number): ScannedJson {
  if (bytes.length === 0) fail('invalid_json_request', { problem: 'The body is empty: send a JSON object.' })
  if (!isUtf8(bytes)) fail('invalid_json_request', { problem: 'The body is not valid UTF-8.' })
  return scanJson(bytes, shortest)
}

/**
 * Parses a scanned body. Refuses what is not JSON (RFC 8259), and what is nested too deep. `startBytes`: of each long text that
 * stay before its placeholder.
 */
export function parseBody(
  bytes: Buffer,
  { texts: found, values, depth }: ScannedJson,
  startBytes: number = START_BYTES,
): ParsedBody {
  const texts = new LongTexts()
  let json = ''
  let at = 0
  for (const { from, to } of found) {
    const cut = splitPoint(bytes.subarray(0, to), from, startBytes)
    json += bytes.toString('utf8', at, cut) + texts.add(bytes.subarray(cut, to))
    at = to
  }
  json += bytes.toString('utf8', at)
  const value = parsed(json)
  if (depth > MAX_DEPTH) {
    const problem = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`
    fail('schema_validation_failed', { problem })
  }
  return { value, texts, values }
}

function parsed(json: string): Json {
  try {
    return parseText(json)
  } catch {
    // V8's own message quotes the body, which must not leave the process.
    notJson()
  }
}
