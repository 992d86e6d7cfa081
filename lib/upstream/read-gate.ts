import type { Readable } from 'node:stream'
import { withoutSlack } from '../base/without-slack.ts'

/** A socket of Node, whose handle says whether the system reads for it. */
interface ReadingSocket extends Readable {
  readonly _handle?: { reading?: boolean; readStop(): void } | null
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

  /** Nothing more is read, but for a read that the system is already about to do; what has been read stays. */
  close(): void {
    this.#isClosed = true
  }

  /** The same, and nothing at all is read: nor is it noticed that the connection closes. */
  stop(): void {
    this.close()
    const handle = this.#socket._handle
    if (handle?.reading !== true) return
    // As Node does where a stream is full. Otherwise the system would still deliver the next 64 KB.
    handle.reading = false
    handle.readStop()
    this.#isWanted = true
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

function readOn(gate: ReadGate): void {
  gate.readNow()
}
