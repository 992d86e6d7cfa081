/**
 * Fetches images that clients send as URLs. Backends never do, because one that fetches can reach its own network
 * (docs/DESIGN.md#images-by-url). A name is resolved once, every address is checked, and the connection is opened to a
 * checked address. Each redirect is checked like a new URL.
 */

import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { authorityOf, GatewayError, imageType, openTunnel } from '../../lib/plugin.ts'
import type { AddressGuard } from './addresses.ts'
import { type Resolve, resolveBy } from './dns.ts'

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
const MAX_URL_LENGTH = 8192
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const HEADERS = {
  accept: 'image/png, image/jpeg, image/gif, image/webp',
  // The size of compressed data is known only after decompression.
  'accept-encoding': 'identity',
  'user-agent': 'sluiceway',
}
/** The global agents keep connections alive, and may use a proxy, which would connect to unchecked addresses. */
const AGENTS = { 'http:': new http.Agent(), 'https:': new https.Agent() }

/** Fetches images by URL, from public addresses only (docs/plugins/images.md). */
export class ImageFetcher {
  readonly #guard: AddressGuard
  readonly #resolve: Resolve
  readonly #proxy: string | undefined

  /** `proxy`: `http://host:port`. It is asked for checked addresses only. */
  constructor(guard: AddressGuard, resolve: Resolve = resolveBy(), proxy?: string) {
    this.#guard = guard
    this.#resolve = resolve
    this.#proxy = proxy
  }

  /** The image as a data: URL. Rejects with an Error that gives the reason, or with the refusal of `limit.charge`. */
  async fetch(address: string, limit: ImageLimit, signal: AbortSignal): Promise<string> {
    try {
      return await this.#follow(address, limit, signal)
    } catch (thrown) {
      if (thrown instanceof ImageRefused || thrown instanceof GatewayError) throw thrown
      // Messages of network errors contain the host, which is part of the request's content.
      throw new ImageRefused(`the connection failed (${codeOf(thrown)})`)
    }
  }

  async #follow(address: string, limit: ImageLimit, signal: AbortSignal): Promise<string> {
    let url = readUrl(address)
    for (let redirects = 0; ; redirects++) {
      const response = await open(url, await this.#addressOf(url, signal), this.#proxy, signal)
      try {
        const next = redirectOf(response)
        if (next === undefined) return await readImage(response, limit)
        if (redirects === MAX_REDIRECTS) throw new ImageRefused('too many redirects')
        url = readUrl(next, url)
      } finally {
        response.destroy()
      }
    }
  }

  /** One address of the host, after all of them have been checked. */
  async #addressOf({ hostname }: URL, signal: AbortSignal): Promise<string> {
    const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    const addresses = isIP(literal) === 0 ? await this.#resolve(hostname, signal) : [literal]
    const [first] = addresses
    if (first === undefined) throw new ImageRefused('the host has no address')
    if (!addresses.every(one => this.#guard.allows(one))) throw new ImageRefused('the address is not public')
    return first
  }
}

function codeOf(thrown: unknown): string {
  const { code } = thrown as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

/** Parses and checks a URL. The parser normalises every spelling of an IPv4 address to four decimal numbers. */
function readUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw new ImageRefused('the URL is too long')
  const url = URL.parse(text, base?.href)
  if (url === null) throw new ImageRefused('no URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ImageRefused('the scheme is not http or https')
  if (url.username !== '' || url.password !== '') throw new ImageRefused('the URL has credentials')
  return url
}

async function open(
  url: URL,
  address: string,
  proxy: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const options =
    proxy === undefined ? directTo(url, address) : await throughProxy(url, literalOf(address), new URL(proxy), signal)
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request({ ...options, signal })
    request.on('response', resolve)
    request.on('error', reject)
    // After a 101 Node emits nothing else. Without this listener the exchange would wait forever.
    request.on('close', () => reject(new Error('closed without a response')))
    request.end()
  })
}

function directTo(url: URL, address: string): RequestOptions {
  const isSecure = url.protocol === 'https:'
  const family = isIP(address)
  return {
    ...urlToHttpOptions(url),
    agent: isSecure ? AGENTS['https:'] : AGENTS['http:'],
    headers: HEADERS,
    // By now the name may resolve to another address than the checked one.
    lookup: (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
  }
}

/** How long a proxy may take to open a tunnel. The timeout of all images is usually shorter. */
const TUNNEL_MS = 30_000

/** The proxy gets the checked address, never the name, which it could resolve to another one. */
async function throughProxy(url: URL, address: string, proxy: URL, signal: AbortSignal): Promise<RequestOptions> {
  const headers = { ...HEADERS, host: url.host }
  const target = authorityOf({ hostname: address, port: url.port, protocol: url.protocol })
  const path = url.pathname + url.search
  if (url.protocol === 'http:') {
    const { hostname, port } = urlToHttpOptions(proxy)
    return { agent: AGENTS['http:'], hostname, port: port ?? 80, path: `http://${target}${path}`, headers }
  }
  const socket = await openTunnel(proxy.href, target, TUNNEL_MS, signal)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Without an agent. A certificate is checked for the host of the URL.
  return {
    path,
    headers,
    createConnection: () => connect({ socket, host, ...(isIP(host) === 0 && { servername: host }) }),
  }
}

function literalOf(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address
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
