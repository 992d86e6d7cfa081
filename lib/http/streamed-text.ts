import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
  /** The head has been sent with the first text. */
  #hasBegun = false
  /** `drain` of the response is due when the socket has written everything. */
  #isWaiting = false

  /** To be made after the head has been written: by then Node knows what the client understands. */
  constructor(res: ServerResponse) {
    this.#res = res
    this.#isFramed = res.chunkedEncoding
    // Node must not frame what is framed already.
    res.chunkedEncoding = false
  }

  /** `text` has one character for each byte. False: backpressure, until `drain` of the response. */
  write(text: string): boolean {
    // An empty frame would end the body.
    if (text === '') return true
    if (!this.#isFramed) return this.#res.write(text, 'latin1')
    const { socket } = this.#res
    if (this.#hasBegun && socket?.writable) return this.#past(socket, frame(text))
    this.#hasBegun = true
    return this.#res.write(frame(text), 'latin1')
  }

  /** The response would cork the socket until the end of the tick, which costs as much as putting an event together. */
  #past(socket: Socket, framed: string): boolean {
    socket.write(framed, 'latin1')
    if (socket.writableLength === 0) return true
    // The system has not taken all of it. Node would gather 64 KB more before it says so, for each client that does not read.
    if (!this.#isWaiting && !this.#res.writableNeedDrain) {
      this.#isWaiting = true
      // An empty write is over when everything before it is. Any number of writes is over with one `drain`.
      socket.write('', 'latin1', error => {
        this.#isWaiting = false
        if (!error) this.#res.emit('drain')
      })
    }
    return false
  }

  /** Ends the response after this text. */
  end(text = ''): void {
    if (!this.#isFramed) return void this.#res.end(text, 'latin1')
    this.#res.end(text === '' ? LAST_FRAME : frame(text) + LAST_FRAME, 'latin1')
  }
}

function frame(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}
