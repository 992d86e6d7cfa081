import { open } from 'node:fs/promises'

/** A segment of the journal, and what the tick that filled it has added. Pages that no segment has needed take no memory. */
const USUAL_BYTES = 9 * 2 ** 20

/**
 * Reads segments of the journal, one after the other, into memory that it keeps and shares with the threads of this process: neither are
 * they copied for the thread of the store, nor do they become garbage, which would stay until a collection of the whole heap because each
 * is in use for longer than the young generation takes to become full (docs/BENCHMARKS.md#memory).
 */
export class SegmentReader {
  #memory = Buffer.from(new SharedArrayBuffer(USUAL_BYTES))

  /** What the file has, until the next call. undefined: it does not exist. */
  async read(path: string): Promise<Buffer | undefined> {
    let file: Awaited<ReturnType<typeof open>>
    try {
      file = await open(path)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    try {
      const { size } = await file.stat()
      if (size > this.#memory.length) this.#memory = Buffer.from(new SharedArrayBuffer(size))
      let length = 0
      while (length < size) {
        const { bytesRead } = await file.read(this.#memory, length, size - length, length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return this.#memory.subarray(0, length)
    } finally {
      await file.close()
    }
  }
}
