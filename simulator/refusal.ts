import type { JsonObject } from '../lib/base/json.ts'

export interface RefusalDetails {
  /** The engine's word for the kind of error; undefined: what belongs to the status. */
  readonly type?: string
  /** The body's member that is to blame. */
  readonly param?: string
  /** Members that stand beside the message. */
  readonly extra?: JsonObject
  readonly retryAfter?: number
}

/** An error answer. The engine decides how it is written. */
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

export function badRequest(message: string, param?: string): Refusal {
  return new Refusal(400, message, param === undefined ? {} : { param })
}
