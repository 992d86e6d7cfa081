/** The bytes of a file on the disk, plain or in sealed chunks. Any range can be read without the bytes before it. */
import { type FileHandle, open } from 'node:fs/promises'
import type { RangeReader } from './files.ts'
import { opened, SEAL_BYTES, type Sealing } from './sealing.ts'

/** Bytes that are sealed, and read, at a time. */
const CHUNK_BYTES = 64 * 1024

interface Layout {
  readonly path: string
  /** Where sealed chunks belong. */
  readonly place: string
  readonly sealing: Sealing | null
}

/** Writes a new file and flushes it. Resolves with the number of bytes. null for `sealing`: they stay plain. */
export async function writeContent(bytes: AsyncIterable<Uint8Array>, layout: Layout): Promise<number> {
  await using file = await open(layout.path, 'wx', 0o600)
  let size = 0
  let index = 0
  for await (const { chunk, isLast } of chunksOf(bytes)) {
    size += chunk.length
    await writeAll(file, layout.sealing?.seal(chunk, placeOf(layout, index, isLast)) ?? [chunk])
    index++
  }
  await file.datasync()
  return size
}

/** Opens a file of `bytes` bytes. Rejects if it was removed, cut or extended. */
export async function openContent(layout: Layout, bytes: number, isSealed: boolean): Promise<RangeReader> {
  const file = await open(layout.path)
  try {
    const chunks = isSealed ? countOf(bytes) : 0
    if ((await file.stat()).size !== bytes + chunks * SEAL_BYTES)
      throw new Error('an uploaded file has lost some of its bytes')
    if (!isSealed) return new PlainReader(file, bytes)
    const reader = new SealedReader(file, bytes, layout)
    // Authenticates the size.
    await reader.read(bytes, 0)
    return reader
  } catch (error) {
    await file.close()
    throw error
  }
}

/** All bytes in pieces. Opens the file when it is read, and closes it. */
export async function* contentPieces(opening: () => Promise<RangeReader>, bytes: number): AsyncGenerator<Buffer> {
  const reader = await opening()
  try {
    for (let at = 0; at < bytes; at += CHUNK_BYTES) yield await reader.read(at, CHUNK_BYTES)
  } finally {
    await reader.close()
  }
}

class PlainReader implements RangeReader {
  readonly #file: FileHandle
  readonly #bytes: number

  constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.#bytes = bytes
  }

  read(offset: number, length: number): Promise<Buffer> {
    const size = Math.max(0, Math.min(length, this.#bytes - offset))
    return readAt(this.#file, offset, Buffer.allocUnsafe(size))
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

class SealedReader implements RangeReader {
  readonly #file: FileHandle
  readonly #bytes: number
  readonly #layout: Layout
  /** Holds a sealed chunk while it is read. undefined: it is in use. */
  #buffer: Buffer | undefined = Buffer.allocUnsafe(CHUNK_BYTES + SEAL_BYTES)
  /** The chunk that was read last: the next range is often in it. */
  #known: { readonly index: number; readonly chunk: Buffer } | undefined

  constructor(file: FileHandle, bytes: number, layout: Layout) {
    this.#file = file
    this.#bytes = bytes
    this.#layout = layout
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.#bytes)
    const pieces: Buffer[] = []
    const last = Math.min(Math.floor(Math.max(offset, end - 1) / CHUNK_BYTES), countOf(this.#bytes) - 1)
    for (let index = Math.min(Math.floor(offset / CHUNK_BYTES), last); index <= last; index++) {
      const start = index * CHUNK_BYTES
      pieces.push((await this.#chunk(index)).subarray(Math.max(0, offset - start), Math.max(0, end - start)))
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #chunk(index: number): Promise<Buffer> {
    if (this.#known?.index === index) return this.#known.chunk
    const isLast = index === countOf(this.#bytes) - 1
    const size = isLast ? this.#bytes - index * CHUNK_BYTES : CHUNK_BYTES
    const buffer = this.#buffer ?? Buffer.allocUnsafe(CHUNK_BYTES + SEAL_BYTES)
    this.#buffer = undefined
    try {
      const sealed = buffer.subarray(0, size + SEAL_BYTES)
      await readAt(this.#file, index * (CHUNK_BYTES + SEAL_BYTES), sealed)
      const chunk = opened(this.#layout.sealing, sealed, placeOf(this.#layout, index, isLast))
      this.#known = { index, chunk }
      return chunk
    } finally {
      this.#buffer = buffer
    }
  }
}

/** Chunks of a file, of which only the last one may be shorter or empty. */
function countOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CHUNK_BYTES))
}

/** Chunks cannot change places, and a file cannot end before its last one. */
function placeOf({ place }: Layout, index: number, isLast: boolean): string {
  return `content ${place} ${index}${isLast ? ' last' : ''}`
}

/** A chunk is valid until the next one is taken. */
async function* chunksOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly chunk: Buffer; readonly isLast: boolean }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      if (filled === CHUNK_BYTES) {
        yield { chunk, isLast: false }
        filled = 0
      }
      const part = piece.subarray(at, at + CHUNK_BYTES - filled)
      chunk.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  yield { chunk: chunk.subarray(0, filled), isLast: true }
}

/** Fills the buffer from this offset of the file. */
async function readAt(file: FileHandle, offset: number, bytes: Buffer): Promise<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, offset + at)
    if (bytesRead === 0) throw new Error('an uploaded file has lost some of its bytes')
    at += bytesRead
  }
  return bytes
}

/** Appends the parts. A disk that is nearly full may take them only in part. */
async function writeAll(file: FileHandle, parts: readonly Buffer[]): Promise<void> {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev(parts as Buffer[])
  if (bytesWritten < size) await file.writeFile(Buffer.concat(parts).subarray(bytesWritten))
}
