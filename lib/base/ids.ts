import { randomFillSync } from 'node:crypto'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** A UUIDv7 (RFC 9562 section 5.7) of milliseconds since the epoch. Its last 12 hex digits are the public id. */
export function uuidv7(now: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  // The time has 48 bits. It is split because toString(16) takes ten times as long for more than 32 bits.
  const high = Math.floor(now / 2 ** 32)
  const low = now >>> 0
  const at = used
  used += 10
  const hex = (i: number) => HEX[pool[at + i]!]!
  const version = HEX[0x70 | (pool[at]! & 0x0f)]!
  const variant = HEX[0x80 | (pool[at + 2]! & 0x3f)]!
  return (
    `${hexOf(high >>> 8)}${hexOf(high)}${hexOf(low >>> 24)}${hexOf(low >>> 16)}-${hexOf(low >>> 8)}${hexOf(low)}-${version}${hex(1)}-${variant}${hex(3)}-` +
    `${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`
  )
}

/** The lowest eight bits, as two hex digits. */
function hexOf(bits: number): string {
  return HEX[bits & 0xff]!
}

export function hexOfUuid(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{12})$/i

/** The public id of an exchange: 12 hex digits. */
export function publicId(uuid: string): string {
  return uuid.slice(-12)
}

/** True for a UUID of any version, in lower or upper case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A request id from a client that may be echoed (docs/DESIGN.md#request-ids). */
const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The request id that clients see, except at dedicated endpoints. `fromClient`: header `x-request-id`. */
export function requestIdOf(id: string, fromClient: string | string[] | undefined): string {
  if (typeof fromClient === 'string' && CLIENT_ID.test(fromClient)) return `client_${fromClient}`
  return `req_${publicId(id)}`
}
