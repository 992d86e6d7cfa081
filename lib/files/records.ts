/**
 * Records of a file that is only appended to: kind, length, a checksum of both, and the bytes, plain with a checksum or
 * sealed. The end of the file may be torn, because a process died or a disk was full while it wrote.
 */
import { crc32 } from 'node:zlib'
import { opened, SEAL_BYTES, type Sealing } from './sealing.ts'

/** 0 is no kind: a file may end in zeros after a power failure. */
const PLAIN = 1
const SEALED = 2

const HEAD_BYTES = 9
const CRC_BYTES = 4

/** A record that can be appended. `place`: the batch it belongs to. null for `sealing`: the bytes stay plain. */
export function sealRecord(bytes: Uint8Array, place: string, sealing: Sealing | null): Buffer {
  const body = sealing?.seal(bytes, `record ${place}`) ?? [bytes, checksum(bytes)]
  const head = Buffer.alloc(HEAD_BYTES - CRC_BYTES)
  head.writeUInt8(sealing === null ? PLAIN : SEALED)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, checksum(head), ...body])
}

/** The bytes of all complete records, in order. Ignores a torn end. Throws if a complete record was changed. */
export async function* openRecords(
  pieces: AsyncIterable<Uint8Array>,
  place: string,
  sealing: Sealing | null,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  let needed = HEAD_BYTES
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < needed) continue
    let rest = Buffer.concat(waiting)
    for (;;) {
      needed = HEAD_BYTES
      if (rest.length < needed) break
      const kind = rest.readUInt8()
      if (kind === 0) return
      if (!rest.subarray(HEAD_BYTES - CRC_BYTES, HEAD_BYTES).equals(checksum(rest.subarray(0, HEAD_BYTES - CRC_BYTES))))
        throw changed()
      needed += rest.readUInt32BE(1) + (kind === SEALED ? SEAL_BYTES : CRC_BYTES)
      if (rest.length < needed) break
      const body = rest.subarray(HEAD_BYTES, needed)
      yield kind === SEALED ? opened(sealing, body, `record ${place}`) : plain(body)
      rest = rest.subarray(needed)
    }
    waiting = [rest]
    size = rest.length
  }
}

function plain(body: Buffer): Buffer {
  const bytes = body.subarray(0, -CRC_BYTES)
  if (!body.subarray(-CRC_BYTES).equals(checksum(bytes))) throw changed()
  return bytes
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(CRC_BYTES)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

function changed(): Error {
  return new Error('a file of results was changed')
}
