/** Bytes of each buffer: as many as a socket accepts before it signals backpressure. */
export const POOLED_BYTES = 64 * 1024

/** Most unused buffers that are kept: 2 MB. */
const MOST_FREE = 32

/**
 * Buffers in which small slices are joined before they are sent, used again and again: V8 counts memory outside of its
 * heap with it, and marks all of it where much has come.
 */
export class BufferPool {
  readonly #free: Buffer[] = []

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES)
  }

  /** Returns a buffer that has been sent completely. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length < MOST_FREE) this.#free.push(buffer)
  }
}
