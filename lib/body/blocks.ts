/** As much as a socket takes before it asks for a pause. */
export const BLOCK_BYTES = 64 * 1024

/** Most blocks that are kept while nobody needs them: 2 MB. */
const MOST_FREE = 32

/**
 * Memory for joining small pieces of what is sent, used again and again: the garbage collector counts memory outside of
 * its heap, and walks through all of that heap for every 64 MB of it.
 */
export class Blocks {
  readonly #free: Buffer[] = []

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
  }

  /** Only what nobody reads any more. */
  giveBack(block: Buffer): void {
    if (this.#free.length < MOST_FREE) this.#free.push(block)
  }
}
