/** Requests to backends whose response is buffered: token counts, discovery, capability probe. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../base/json.ts'
import { outgoingJson } from '../body/index.ts'
import type { BackendClient } from './client.ts'
import type { ResponseHandler, TransportError, UpstreamCall, UpstreamRequest } from './transport.ts'

export interface JsonRequest extends Pick<UpstreamRequest, 'method' | 'path' | 'fresh'> {
  /** The body; undefined: none. */
  readonly json?: Json | undefined
}

interface ResponseLimits {
  /** Cancels the request. The promise rejects with the reason of the signal. */
  readonly signal: AbortSignal
  /** Limit of the decompressed body. */
  readonly maxBytes: number
}

export interface BackendResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError'
}

/** Rejects with a TransportError, a ResponseTooLargeError, or the reason of the signal. */
export function request(
  client: BackendClient,
  { method, path, fresh, json }: JsonRequest,
  { signal, maxBytes }: ResponseLimits,
): Promise<BackendResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const body = json === undefined ? null : outgoingJson(JSON.stringify(json))
    const response = new WholeResponseHandler(maxBytes, settled)
    const call = client.send({ method, path, fresh, body }, response)
    signal.addEventListener('abort', onAbort)
    response.call = call

    function onAbort(): void {
      call.cancel()
      settled(signal.reason)
    }

    function settled(result: BackendResponse | Error): void {
      signal.removeEventListener('abort', onAbort)
      if (result instanceof Error) reject(result)
      else resolve(result)
    }
  })
}

class WholeResponseHandler implements ResponseHandler {
  call: UpstreamCall | null = null
  readonly #maxBytes: number
  readonly #onSettled: (result: BackendResponse | Error) => void
  #status = 0
  #headers: IncomingHttpHeaders = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(maxBytes: number, onSettled: (result: BackendResponse | Error) => void) {
    this.#maxBytes = maxBytes
    this.#onSettled = onSettled
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onData(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= this.#maxBytes) return void this.#chunks.push(chunk)
    this.call?.cancel()
    this.#onSettled(new ResponseTooLargeError(`the response is larger than ${this.#maxBytes} bytes`))
  }

  onEnd(): void {
    this.#onSettled({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks, this.#size) })
  }

  onError(error: TransportError): void {
    this.#onSettled(error)
  }
}
