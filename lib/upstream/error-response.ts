import type { IncomingHttpHeaders } from 'node:http'
import type { BackendErrorResponse } from './failure.ts'

/** The rest of a larger body is not read. */
const MAX_BYTES = 64 * 1024

/** A backend's response with another status than 200. Its body is read up to MAX_BYTES. */
export class ErrorResponse {
  readonly #status: number
  readonly #headers: IncomingHttpHeaders
  readonly #parts: Buffer[] = []
  #size = 0

  constructor(status: number, headers: IncomingHttpHeaders) {
    this.#status = status
    this.#headers = headers
  }

  /** False: no more is needed. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > MAX_BYTES) return false
    this.#parts.push(chunk)
    return true
  }

  get received(): BackendErrorResponse {
    return { status: this.#status, headers: this.#headers, bodyText: Buffer.concat(this.#parts).toString() }
  }
}
