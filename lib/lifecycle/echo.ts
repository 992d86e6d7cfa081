/** What a reply repeats of its request, taken off the canonical request before a backend is asked. */
import type { Json, JsonObject } from '../base/json.ts'
import { isText, textBytes } from '../body/index.ts'
import type { ChatRequest } from '../canonical/request.ts'

/** Of a larger body, members up to this size are repeated. Longer texts are not decoded. */
const MAX_MEMBER_BYTES = 64 * 1024

/** The members of a body up to this size are repeated without a check. */
const SMALL_BYTES = 128 * 1024

/**
 * `bodyBytes`: size of the client's body. A small one is repeated whole. Nothing of the body stays in memory but what is
 * returned.
 */
export function takeEcho(request: ChatRequest, echo: JsonObject, bodyBytes: number): JsonObject {
  request.echo = undefined
  if (bodyBytes <= SMALL_BYTES) return echo
  const kept: JsonObject = {}
  for (const name of Object.keys(echo)) {
    const isSmall = isText(echo, name)
      ? textBytes(echo, name) <= MAX_MEMBER_BYTES
      : left(echo[name]!, MAX_MEMBER_BYTES) >= 0
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
