import type { ServerResponse } from 'node:http'

/** A frame of no bytes ends a body, here without trailers (RFC 9112 section 7.1). */
const LAST_FRAME = '0\r\n\r\n'

/**
 * A body of text whose length is not known when its head is written. Where Node has chosen chunked framing for it, a write is
 * one frame and one string for the socket; Node would write it in four pieces (docs/adr/0037-own-chunk-framing.md).
 */
export class StreamedText {
  readonly #res: ServerResponse
  /** False for a client of HTTP/1.0, which reads until the connection closes, and for HEAD, which has no body. */
  readonly #isFramed: boolean

  /** To be made after the head has been written: by then Node knows what the client understands. */
  constructor(res: ServerResponse) {
    this.#res = res
    this.#isFramed = res.chunkedEncoding
    // Node must not frame what is framed already.
    res.chunkedEncoding = false
  }

  /** False: backpressure, until `drain` of the response. */
  write(text: string): boolean {
    // An empty frame would end the body.
    if (text === '') return true
    if (!this.#isFramed) return this.#res.write(text)
    const bytes = Buffer.byteLength(text)
    return this.#res.write(frame(text, bytes), encodingOf(text, bytes))
  }

  /** Ends the response after this text. */
  end(text = ''): void {
    if (!this.#isFramed) return void this.#res.end(text)
    if (text === '') return void this.#res.end(LAST_FRAME, 'latin1')
    const bytes = Buffer.byteLength(text)
    this.#res.end(frame(text, bytes) + LAST_FRAME, encodingOf(text, bytes))
  }
}

function frame(text: string, bytes: number): string {
  return `${bytes.toString(16)}\r\n${text}\r\n`
}

/** A text with as many bytes as characters is ASCII, which need not be encoded. */
function encodingOf(text: string, bytes: number): BufferEncoding {
  return bytes === text.length ? 'latin1' : 'utf8'
}
