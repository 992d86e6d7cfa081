/** Forms of the console's pages: small, `application/x-www-form-urlencoded`. */
import { Writable } from 'node:stream'

/** Far more than any form of a page has. */
const MAX_FORM_BYTES = 16_384

/** Reads a form. `feed` pipes the body into a stream, and refuses more bytes than its limit. */
export async function readForm(feed: (sink: Writable, limit: number) => Promise<void>): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  await feed(sink, MAX_FORM_BYTES)
  return new URLSearchParams(Buffer.concat(pieces).toString())
}
