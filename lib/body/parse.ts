import { isUtf8 } from 'node:buffer'
import { fail } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { isDeeperThan, isObject, type Json, type JsonObject } from '../json.ts'
import type { RawBody, RawList } from './raw.ts'
import { itemsPaced } from './slices.ts'
import type { BodyWorker } from './worker-client.ts'

/** Bodies above this many bytes are parsed outside the event loop: JSON.parse of 1 MB takes 2 to 5 ms. */
export const WORKER_ABOVE_BYTES = 512 * 1024

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

/** How heavily a body weighs on the event loop. */
export type Load = 'light' | 'heavy'

/** Fills the exchange's body from what was read of it. A large one takes a promise, a small one is always light. */
export function parseBody(exchange: Exchange, raw: RawBody, worker: BodyWorker): undefined | Promise<Load> {
  exchange.bodyBytes = raw.size
  if (raw.rest.length > WORKER_ABOVE_BYTES || raw.lists.some(hasLargeSlice))
    return parseElsewhere(exchange, raw, worker)
  if (raw.detached.count > 0) exchange.detached = raw.detached
  const body = asObject(parse(raw.rest))
  if (isDeeperThan(body, MAX_DEPTH)) fail('schema_validation_failed', { problem: TOO_DEEP })
  exchange.body = body
  // A member that comes twice is the last of the two.
  const lists = [...new Map(raw.lists.map(list => [list.name, list])).values()].filter(({ name }) =>
    isEmptyList(body[name]),
  )
  if (raw.values > HEAVY_VALUES || lists.some(({ slices }) => slices.length > 1)) return fillPaced(exchange, lists, raw)
  for (const { name, slices } of lists) body[name] = slices.flatMap(itemsOf)
}

/** Other streams get their turn between two slices. */
async function fillPaced(exchange: Exchange, lists: readonly RawList[], { values }: RawBody): Promise<Load> {
  for (const { name, slices } of lists) {
    const items = await itemsPaced(slices, itemsOf, () => !exchange.gone)
    if (items === undefined) break
    exchange.body[name] = items
  }
  return values > HEAVY_VALUES ? 'heavy' : 'light'
}

async function parseElsewhere(exchange: Exchange, raw: RawBody, worker: BodyWorker): Promise<Load> {
  const { body, detached, values } = await worker.parse(raw, exchange.signal)
  exchange.body = asObject(body)
  exchange.detached = detached
  return values > HEAVY_VALUES ? 'heavy' : 'light'
}

function hasLargeSlice({ slices }: RawList): boolean {
  return slices.some(slice => slice.length > WORKER_ABOVE_BYTES)
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

function itemsOf(slice: Buffer, index: number): Json[] {
  const items = parse(slice) as Json[]
  // A slice ends before a comma: nothing behind it is a mistake that parsing the slices alone would not show.
  if (index > 0 && items.length === 0) fail('invalid_json_request', { problem: NOT_JSON })
  return items
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

function asObject(body: Json): JsonObject {
  if (!isObject(body)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  return body
}
