import type { Readable } from 'node:stream'

/** A socket of Node, whose handle says whether the system reads for it. */
interface ReadingSocket extends Readable {
  readonly _handle?: { readonly reading?: boolean } | null
}

/**
 * Keeps the socket of a connection from reading ahead. undici's parser takes what the socket has read, gives back what it may not
 * pass on yet, and each time that it takes something the stream reads on. A response that is passed on in small pieces would so
 * add 64 KB for each of them, without bound. With a gate the next bytes are read when the last ones have been taken.
 */
export class ReadGate {
  readonly #socket: ReadingSocket
  readonly #read: Readable['_read']
  /** The stream has asked for bytes, and not been told to read them yet. */
  #isWanted = false
  #isDue = false
  #isClosed = false

  constructor(socket: ReadingSocket) {
    this.#socket = socket
    this.#read = socket._read
    socket._read = () => this.#want()
    const { unshift } = socket
    socket.unshift = (rest: Buffer) => unshift.call(socket, withoutSlack(rest))
  }

  /** Nothing more is read; what has been read stays. */
  close(): void {
    this.#isClosed = true
  }

  open(): void {
    this.#isClosed = false
    if (this.#isWanted) this.#readSoon()
  }

  #want(): void {
    // Then _read() of a socket does nothing: a stream of events is spared a tick for each of them.
    if (!this.#isClosed && this.#socket._handle?.reading === true) return
    this.#isWanted = true
    this.#readSoon()
  }

  /** Behind the parser, which is still to look at what it has just taken, and may close the gate. */
  #readSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    process.nextTick(readOn, this)
  }

  /** For #readSoon(). */
  readNow(): void {
    this.#isDue = false
    if (this.#isClosed || !this.#isWanted || this.#socket.destroyed) return
    this.#isWanted = false
    this.#read.call(this.#socket, this.#socket.readableHighWaterMark)
  }
}

/**
 * What the parser gives back is a view of all that was read with it, 64 KB, which would stay in memory for as long as a client does not
 * read. Of a copy nothing is copied again before a quarter of it has been taken, so that many small pieces cost no more than a few.
 */
function withoutSlack(rest: Buffer): Buffer {
  if (rest.length > rest.buffer.byteLength * 0.75) return rest
  const own = Buffer.allocUnsafeSlow(rest.length)
  rest.copy(own)
  return own
}

function readOn(gate: ReadGate): void {
  gate.readNow()
}
