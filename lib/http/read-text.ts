import type { IncomingMessage } from 'node:http'
import { fail } from '../errors/errors.ts'

/** Reads the body of an operator's request as text. Refuses a body as soon as it exceeds `limit` bytes. */
export async function readText(req: IncomingMessage, limit: number): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > limit) fail('request_body_too_large', { limit })
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
