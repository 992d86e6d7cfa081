import { isUtf8 } from 'node:buffer'
import { isDeeperThan, isObject, type Json } from '../base/json.ts'
import type { Exchange } from '../core/exchange.ts'
import { fail } from '../errors/errors.ts'
import type { DetachedTexts } from './texts.ts'

/** Deepest nesting of arrays and objects that is accepted. Real schemas stay below 40. */
export const MAX_DEPTH = 128

export const TOO_DEEP = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`

/** More single values than this are refused: handing them to the event loop would hold up every other stream. */
export const MAX_VALUES = 1_000_000

export const TOO_MANY = `The body holds more than ${MAX_VALUES} JSON values.`

export const NOT_UTF8 = 'The body is not valid UTF-8.'

export const NOT_JSON = 'The body is not valid JSON.'

/** From so many values on, every hook that looks at all of them takes longer than other streams should wait. */
const HEAVY_VALUES = 20_000

/** A body that has been read and parsed. */
export interface ReadBody {
  readonly value: Json
  /** Texts that marks in the value stand for. */
  readonly detached: DetachedTexts
  /** About how many single JSON values it holds; 0: few. */
  readonly values: number
  /** Bytes as received. */
  readonly size: number
}

/** How heavily a body weighs on the event loop. */
export type Load = 'light' | 'heavy'

/** Fills the exchange's body with what was read. */
export function fillBody(exchange: Exchange, { value, detached, values, size }: ReadBody): Load {
  exchange.bodyBytes = size
  if (detached.count > 0) exchange.detached = detached
  if (!isObject(value)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  // While a large one was read, its depth was watched.
  if (values === 0 && isDeeperThan(value, MAX_DEPTH)) fail('schema_validation_failed', { problem: TOO_DEEP })
  exchange.body = value
  return values > HEAVY_VALUES ? 'heavy' : 'light'
}

/** JSON out of bytes. Refuses what RFC 8259 does not allow: other encodings, an empty body, text that is not JSON. */
export function parse(bytes: Buffer): Json {
  if (bytes.length === 0) fail('invalid_json_request', { problem: 'The body is empty: send a JSON object.' })
  if (!isUtf8(bytes)) fail('invalid_json_request', { problem: NOT_UTF8 })
  try {
    return JSON.parse(bytes.toString('utf8')) as Json
  } catch {
    // The engine's own message quotes the body: it must not travel.
    fail('invalid_json_request', { problem: NOT_JSON })
  }
}
