import type { JsonObject } from '../lib/base/json.ts'

interface RefusalDetails {
  /** The engine's error type; undefined: that of the status. */
  readonly type?: string
  /** The member of the body that caused the error. */
  readonly param?: string
  /** Further members of the error. */
  readonly extra?: JsonObject
  readonly retryAfter?: number
  /** The engine reports the error after the start of a stream: as an error event in a 200. */
  readonly inStream?: true
}

/** An error response. The engine's traits define its body. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly details: RefusalDetails

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** A member that pydantic refuses, as vLLM prints it (vllm/entrypoints/openai/server_utils.py). */
export function invalidMember(member: string, type: string, reason: string): Refusal {
  // Python prints a text with single quotes in double quotes.
  const quote = reason.includes("'") ? '"' : "'"
  const message = `1 validation error:\n  {'type': '${type}', 'loc': 'body.${member}', 'msg': ${quote}${reason}${quote}}`
  return new Refusal(400, message, { type: 'Bad Request', param: `body.${member}` })
}

export function badRequest(message: string, param?: string): Refusal {
  return new Refusal(400, message, param === undefined ? {} : { param })
}
