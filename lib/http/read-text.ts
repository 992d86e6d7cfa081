import type { IncomingMessage } from 'node:http'
import { fail } from '../errors/errors.ts'

/** The whole body as text, for requests of operators: clients' bodies are read by lib/body. One of more than `limit` bytes is refused as soon as that is known. */
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
