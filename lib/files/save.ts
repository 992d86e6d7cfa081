import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fail } from '../errors/errors.ts'
import { type ImageType, imageType } from './image-type.ts'

/** The bytes that imageType() needs. */
const HEAD_BYTES = 12

/**
 * Writes an image to a new file as it arrives, and flushes it to the disk. Refuses with 413 beyond `limit` bytes, and with
 * 422 if the first bytes are not those of an image.
 */
export async function saveImage(
  bytes: Readable,
  path: string,
  limit: number,
): Promise<{ readonly bytes: number; readonly type: ImageType }> {
  await using file = await open(path, 'wx', 0o600)
  let size = 0
  let head = Buffer.alloc(0)
  let type: ImageType | undefined
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limit) fail('request_body_too_large', { limit }, { param: 'file', ownParam: true })
    if (type === undefined) {
      head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES)])
      if (head.length >= HEAD_BYTES) type = imageType(head) ?? refuseType()
    }
    await file.writeFile(piece)
  }
  if (type === undefined) refuseType()
  await file.datasync()
  return { bytes: size, type }
}

function refuseType(): never {
  const problem = "'file' must be an image: PNG, JPEG, GIF or WebP."
  fail('schema_validation_failed', { problem }, { param: 'file', ownParam: true })
}
