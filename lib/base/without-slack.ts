/** A smaller part than this keeps memory that is worth a copy. */
const LEAST_SHARE = 0.75

/**
 * These bytes in memory of about their own size. A view of a part of what a socket has read would keep all of it, 64 KB, for as long
 * as it waits. A part of a copy is copied again only when a quarter of it has been taken, so that many small pieces cost no more than a few.
 */
export function withoutSlack(bytes: Buffer): Buffer {
  if (bytes.length > bytes.buffer.byteLength * LEAST_SHARE) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
