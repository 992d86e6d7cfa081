/** Content codings of request bodies (RFC 9110, section 8.4.1). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { fail } from '../errors/errors.ts'
import { quoted } from '../text/quoted.ts'

/** RFC 9659 limits the window of zstd to 8 MB. */
const ZSTD_WINDOW_BITS = 23

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS } }),
}

/** A decoder for the body; undefined: it has no coding. Throws 415 for other codings, and for more than one. */
export function decoderFor(headers: IncomingHttpHeaders): Transform | undefined {
  const coding = codingOf(headers)
  if (coding === undefined) return undefined
  if (!Object.hasOwn(DECODERS, coding)) refuse(coding, 'gzip, br, zstd', 'gzip, br, zstd or no coding')
  return DECODERS[coding]!()
}

/** Throws 415 for every coding, on routes whose bodies are not decoded. */
export function refuseCoding(headers: IncomingHttpHeaders): void {
  const coding = codingOf(headers)
  if (coding !== undefined) refuse(coding, 'identity', 'no coding')
}

/** undefined: none. An empty header is an empty list of codings (RFC 9110, section 5.6.1). */
function codingOf(headers: IncomingHttpHeaders): string | undefined {
  const coding = headers['content-encoding']?.toLowerCase() ?? ''
  return coding === '' || coding === 'identity' ? undefined : coding
}

function refuse(coding: string, accepted: string, inWords: string): never {
  const details = { headers: { 'accept-encoding': accepted } }
  fail('http_415', { encoding: quoted(coding, 40), accepted: inWords }, details)
}
