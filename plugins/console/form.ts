/** Forms of the console's pages: `application/x-www-form-urlencoded`, small. */
import { Writable } from 'node:stream'

/** No form of a page comes near it. */
export const FORM_BYTES = 16_384

/** Reads the body with `feed`, which refuses more than FORM_BYTES. */
export async function readForm(feed: (sink: Writable, limit: number) => Promise<void>): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  await feed(sink, FORM_BYTES)
  return new URLSearchParams(Buffer.concat(pieces).toString())
}
