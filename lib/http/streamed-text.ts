import type { ServerResponse } from 'node:http'

/** A chunk of no bytes ends a body, here without trailers (RFC 9112 section 7.1). */
const LAST_CHUNK = '0\r\n\r\n'

/**
 * A body of text whose length is not known when its head is written. Where Node has chosen chunked framing for it, one write
 * is one chunk and one string for the socket; Node would write it in four pieces (docs/adr/0037-own-chunk-framing.md).
 */
export class StreamedText {
  readonly #res: ServerResponse
  /** False for a client of HTTP/1.0, which reads until the connection closes, and for HEAD, which has no body. */
  readonly #isChunked: boolean

  /** To be created after the head has been written: by then Node knows what the client understands. */
  constructor(res: ServerResponse) {
    this.#res = res
    this.#isChunked = res.chunkedEncoding
    // Node must not frame what is framed already.
    res.chunkedEncoding = false
  }

  /** False: backpressure, until `drain` of the response. */
  write(text: string): boolean {
    // An empty chunk would end the body.
    if (text === '') return true
    return this.#res.write(this.#isChunked ? chunk(text) : text)
  }

  /** Ends the response after this text. */
  end(text = ''): void {
    if (!this.#isChunked) return void this.#res.end(text)
    this.#res.end(text === '' ? LAST_CHUNK : chunk(text) + LAST_CHUNK)
  }
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
