import type { JsonObject } from '../../base/json.ts'
import type { RequestBody } from '../request-body.ts'
import { requestBody } from '../small-body.ts'
import { BodyScanner } from './scan.ts'

/** Each text is detached, and nothing of it stays in the body. */
const EVERY_TEXT = { shortest: { text: 1, url: 1, json: 1 }, keep: 0 }

/** A body that is read like one above LARGE_BYTES, at any size: for tests of plugins. */
export function asLargeBody(body: JsonObject, detaches: boolean): RequestBody {
  const scanner = new BodyScanner({ detaches, ...EVERY_TEXT })
  scanner.feed(Buffer.from(JSON.stringify(body)))
  return requestBody(scanner.end())
}
