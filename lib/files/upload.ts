/** Receives the bytes of an upload: which limit holds for them, and which type they must have. */
import type { Readable } from 'node:stream'
import { fail } from '../errors/errors.ts'
import { BATCH_PURPOSE, type FileType, type ImageType, imageType, JSON_LINES } from './files.ts'

/** Number of bytes that imageType() needs. */
const HEAD_BYTES = 12

/** Maximum sizes. undefined: no batches, and so no files for them. */
export interface UploadLimits {
  readonly image: number
  readonly batch: number | undefined
}

/** What is known of the bytes after they were received. */
interface Received {
  bytes: number
  image: ImageType | undefined
}

export class Upload {
  readonly #limits: UploadLimits
  readonly #received: Received = { bytes: 0, image: undefined }

  constructor(limits: UploadLimits) {
    this.#limits = limits
  }

  /**
   * Passes the bytes on. Refuses with 413 above the limit of the purpose, with 422 if they must be an image and are
   * none. undefined for `purpose`: a later field of the form has it, so the largest limit holds until then.
   */
  async *pass(bytes: Readable, purpose: string | undefined): AsyncGenerator<Buffer> {
    const { image, batch } = this.#limits
    const mayBeBatch = batch !== undefined && (purpose ?? BATCH_PURPOSE) === BATCH_PURPOSE
    const limit = !mayBeBatch ? image : purpose === undefined ? Math.max(image, batch) : batch
    const received = this.#received
    let head: Buffer | undefined = Buffer.alloc(0)
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      received.bytes += piece.length
      if (received.bytes > limit) refuseSize(limit)
      if (head !== undefined) {
        head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES)])
        if (head.length >= HEAD_BYTES) {
          received.image = imageType(head)
          if (received.image === undefined && !mayBeBatch) refuseType()
          head = undefined
        }
      }
      yield piece
    }
    if (received.image === undefined && !mayBeBatch) refuseType()
  }

  /** The type of the file. Refuses the bytes as pass() does, now that the purpose is known. */
  typeFor(purpose: string): FileType {
    const { image, batch } = this.#limits
    const isBatch = batch !== undefined && purpose === BATCH_PURPOSE
    const limit = isBatch ? batch : image
    if (this.#received.bytes > limit) refuseSize(limit)
    return isBatch ? JSON_LINES : (this.#received.image ?? refuseType())
  }
}

function refuseSize(limit: number): never {
  fail('request_body_too_large', { limit }, { param: 'file', ownParam: true })
}

function refuseType(): never {
  const problem = "'file' must be an image: PNG, JPEG, GIF or WebP."
  fail('schema_validation_failed', { problem }, { param: 'file', ownParam: true })
}
