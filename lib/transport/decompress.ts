/** Decompresses response bodies: some backends ignore `accept-encoding: identity`. */
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdDecompress(),
}

/** Receives the plain bytes: onPlainData any number of times, then onPlainEnd or onPlainError once. */
export interface DecompressionListener {
  onPlainData(chunk: Buffer): void
  /** write() accepts more bytes. */
  onPlainDrain(): void
  onPlainEnd(): void
  onPlainError(error: Error): void
}

/**
 * Decompresses a body piece by piece, and stops while its output is paused. A small body that expands to a huge one
 * thus occupies little memory.
 */
export class Decompression {
  readonly #decoder: Transform

  /** null: the Content-Encoding is unknown. The caller then passes the bytes on unchanged. */
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

  /** False: the caller must wait for onPlainDrain before it writes more. */
  write(chunk: Buffer): boolean {
    return this.#decoder.write(chunk)
  }

  /** All compressed bytes have been written. The listener gets the rest of the plain bytes, and then their end. */
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
