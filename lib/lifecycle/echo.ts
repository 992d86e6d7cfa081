/** What a reply repeats of its request, taken off the canonical request before a backend is asked. */
import type { Json, JsonObject } from '../base/json.ts'
import { isText, textBytes } from '../body/index.ts'
import type { CanonicalRequest } from '../canonical/request.ts'

/** Bodies up to this size are repeated whole, so this bounds what a reply keeps in memory. */
const LARGE_BYTES = 128 * 1024

/** Of a larger body, members up to this size are repeated. Longer texts are not decoded. */
const MOST_BYTES = 64 * 1024

const NOTHING: JsonObject = Object.freeze({})

/** `bodyBytes`: size of the client's body. Nothing of the body stays in memory but what is returned. */
export function takeEcho(request: CanonicalRequest, bodyBytes: number): JsonObject {
  if (request.kind !== 'chat' || request.echo === undefined) return NOTHING
  const { echo } = request
  request.echo = undefined
  if (bodyBytes <= LARGE_BYTES) return echo
  const kept: JsonObject = {}
  for (const name of Object.keys(echo)) {
    const isSmall = isText(echo, name) ? textBytes(echo, name) <= MOST_BYTES : left(echo[name]!, MOST_BYTES) >= 0
    if (isSmall) kept[name] = echo[name]!
  }
  return kept
}

/** What about the size of a value in JSON leaves of `budget`; negative: it is larger. Stops there. */
function left(value: Json, budget: number): number {
  if (typeof value === 'string') return budget - value.length
  if (typeof value !== 'object' || value === null) return budget - 8
  let rest = budget - 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = left(value[i]!, rest)
    return rest
  }
  for (const name in value) {
    rest = left(value[name]!, rest - name.length)
    if (rest < 0) return rest
  }
  return rest
}
