/** Response bodies of backends that compress although they were asked not to. */
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdDecompress(),
}

/** Receives the plain bytes: onPlainData any number of times, then end or error once. Nothing after close(). */
export interface DecompressionListener {
  onPlainData(chunk: Buffer): void
  /** More may be written. */
  onPlainDrain(): void
  onPlainEnd(): void
  onPlainError(error: Error): void
}

/**
 * Expands bytes piece by piece and stops while its output is paused, so that a small body that expands to a huge one
 * occupies little memory at a time. The listener counts the plain bytes against its limit.
 */
export class Decompression {
  readonly #decoder: Transform

  /** Null where the Content-Encoding is not known: the bytes are then taken as they are. */
  static of(encoding: string, listener: DecompressionListener): Decompression | null {
    const name = encoding.toLowerCase()
    if (!Object.hasOwn(DECODERS, name)) return null
    return new Decompression(DECODERS[name]!(), listener)
  }

  private constructor(decoder: Transform, listener: DecompressionListener) {
    this.#decoder = decoder
    decoder.on('data', (chunk: Buffer) => {
      if (!decoder.destroyed) listener.onPlainData(chunk)
    })
    decoder.on('end', () => listener.onPlainEnd())
    decoder.on('error', error => listener.onPlainError(error))
    decoder.on('drain', () => listener.onPlainDrain())
  }

  /** False: nothing should be written before onPlainDrain. */
  write(chunk: Buffer): boolean {
    return this.#decoder.write(chunk)
  }

  /** The last compressed byte has been written; the end of the plain ones follows. */
  end(): void {
    this.#decoder.end()
  }

  pause(): void {
    this.#decoder.pause()
  }

  resume(): void {
    this.#decoder.resume()
  }

  close(): void {
    this.#decoder.destroy()
  }
}
