/** Requests to an issuer. What it answers is small; a larger answer is not read. */

const MOST_BYTES = 1_000_000

/** As fetch(), with the whole body read. Rejects where that is too large. */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > MOST_BYTES) throw new TypeError(`it sends more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  const { status, headers } = response
  return new Response(pieces.length === 0 ? null : Buffer.concat(pieces), { status, headers })
}
