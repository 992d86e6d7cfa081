/**
 * Fetches images that clients send as URLs. Backends never do, because one that fetches can reach its own network
 * (docs/DESIGN.md#images-by-url). Each redirect is checked like a new URL.
 */
import type { IncomingMessage } from 'node:http'
import { GatewayError, imageType, type PublicHttp, publicUrl, UrlRefused } from '../../lib/plugin.ts'

/** The reason why an image was not fetched. Not for clients, because it would reveal hosts of the internal network. */
class ImageRefused extends Error {
  constructor(reason: string) {
    super(`image: ${reason}`)
  }
}

/** What the images of one request may still use. */
export interface ImageLimit {
  /** Bytes that are left. */
  bytes: number
  /** Charges memory. Throws the refusal. */
  charge(bytes: number): void
}

/** Memory per byte of an image until its backend has it: base64 in the request and in the body for the backend. */
const MEMORY_PER_BYTE = 3

/** Charges memory for an image of this size, or for a part of one. */
export function chargeFor(limit: ImageLimit, bytes: number): void {
  if (bytes > 0) limit.charge(bytes * MEMORY_PER_BYTE)
}

const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const HEADERS = {
  accept: 'image/png, image/jpeg, image/gif, image/webp',
  // The size of compressed data is known only after decompression.
  'accept-encoding': 'identity',
  'user-agent': 'sluiceway',
}

/** Fetches images by URL, from public addresses only (docs/plugins/images.md). */
export class ImageFetcher {
  readonly #http: PublicHttp

  constructor(publicHttp: PublicHttp) {
    this.#http = publicHttp
  }

  /** The image as a data: URL. Rejects with an Error that gives the reason, or with the refusal of `limit.charge`. */
  async fetch(address: string, limit: ImageLimit, signal: AbortSignal): Promise<string> {
    try {
      return await this.#follow(address, limit, signal)
    } catch (thrown) {
      if (thrown instanceof ImageRefused || thrown instanceof GatewayError) throw thrown
      if (thrown instanceof UrlRefused) throw new ImageRefused(thrown.message)
      // Messages of network errors contain the host, which is part of the request's content.
      throw new ImageRefused(`the connection failed (${codeOf(thrown)})`)
    }
  }

  async #follow(address: string, limit: ImageLimit, signal: AbortSignal): Promise<string> {
    let url = publicUrl(address)
    for (let redirects = 0; ; redirects++) {
      const response = await this.#http.request(url, { method: 'GET', headers: HEADERS }, signal)
      try {
        const next = redirectOf(response)
        if (next === undefined) return await readImage(response, limit)
        if (redirects === MAX_REDIRECTS) throw new ImageRefused('too many redirects')
        url = publicUrl(next, url)
      } finally {
        response.destroy()
      }
    }
  }
}

function codeOf(thrown: unknown): string {
  const { code } = thrown as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

/** The URL of a redirect; undefined: the response is the image. */
function redirectOf({ statusCode, headers }: IncomingMessage): string | undefined {
  if (statusCode === 200) return undefined
  if (!REDIRECTS.has(statusCode) || headers.location === undefined) throw new ImageRefused('the status is not 200')
  return headers.location
}

async function readImage(response: IncomingMessage, limit: ImageLimit): Promise<string> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new ImageRefused('the image is compressed')
  let charged = Number(response.headers['content-length'] ?? 0)
  if (charged > limit.bytes) throw new ImageRefused('too many bytes')
  chargeFor(limit, charged)
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    limit.bytes -= chunk.length
    if (limit.bytes < 0) throw new ImageRefused('too many bytes')
    received += chunk.length
    // An image of unknown length is charged while it arrives.
    chargeFor(limit, received - charged)
    charged = Math.max(charged, received)
    chunks.push(chunk)
  }
  if (!response.complete) throw new ImageRefused('the image is incomplete')
  const bytes = Buffer.concat(chunks)
  const type = imageType(bytes)
  if (type === undefined) throw new ImageRefused('the bytes are no image')
  return `data:${type};base64,${bytes.toString('base64')}`
}
