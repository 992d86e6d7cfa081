import type { JsonObject } from '../../lib/base/json.ts'
import { type ParsedBody, parseBody, type RequestBody, requestBody, scanBody } from '../../lib/body/request-body.ts'
import type { Format } from '../../lib/canonical/format.ts'
import type { CanonicalRequest } from '../../lib/canonical/request.ts'

export interface LazyOptions {
  /** Bytes of the shortest lazy text. Default: that of the gateway. */
  readonly shortest?: number
  /** Bytes of each lazy text that stay in front of its placeholder. */
  readonly startBytes?: number
}

export function parsed(bytes: Buffer, { shortest, startBytes }: LazyOptions = {}): ParsedBody {
  return parseBody(bytes, scanBody(bytes, shortest), startBytes)
}

/** A body from its JSON, with lazy texts. */
export function bodyOf(body: object, options: LazyOptions = {}): RequestBody {
  return requestBody(parsed(Buffer.from(JSON.stringify(body)), options))
}

/** A canonical request whose long texts are lazy. The members of `request` have the names of a chat body. */
export function lazyRequest<T extends CanonicalRequest>(request: T, options: LazyOptions = {}): T {
  const asItIs = { toCanonical: (body: JsonObject) => body } as unknown as Format
  return bodyOf(request, options).translate(asItIs, {} as never) as T
}

/** The bytes of an outgoing body. */
export async function bytesOf(source: Buffer | Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  if (Buffer.isBuffer(source)) return source
  const pieces: Buffer[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}
