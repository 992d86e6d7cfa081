/**
 * Requests to URLs that customers name, to public addresses only. A name is resolved once, every address is checked,
 * and the connection is opened to a checked address (docs/DESIGN.md#images-by-url).
 */
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { authorityOf, openTunnel } from '../tunnel.ts'
import type { AddressGuard } from './addresses.ts'
import { type Resolve, resolveBy } from './dns.ts'

type Reason =
  | 'no URL'
  | 'the URL is too long'
  | 'the scheme is not http or https'
  | 'the URL has credentials'
  | 'the host has no address'
  | 'the address is not public'

/** The URL is refused. The reason has no part of the URL, but may reveal what a name of the internal network is. */
export class UrlRefused extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

interface PublicRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const MAX_URL_LENGTH = 8192
/** The global agents keep connections alive, and may use a proxy, which would connect to unchecked addresses. */
const AGENTS = { 'http:': new http.Agent(), 'https:': new https.Agent() }

/** Parses and checks a URL. The parser normalises every spelling of an IPv4 address to four decimal numbers. */
export function publicUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw new UrlRefused('the URL is too long')
  const url = URL.parse(text, base?.href)
  if (url === null) throw new UrlRefused('no URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new UrlRefused('the scheme is not http or https')
  if (url.username !== '' || url.password !== '') throw new UrlRefused('the URL has credentials')
  return url
}

/** Sends requests to checked addresses. */
export class PublicHttp {
  readonly #guard: AddressGuard
  readonly #resolve: Resolve
  readonly #proxy: string | undefined

  /** `proxy`: `http://host:port`. It is asked for checked addresses only. */
  constructor(guard: AddressGuard, resolve: Resolve = resolveBy(), proxy?: string) {
    this.#guard = guard
    this.#resolve = resolve
    this.#proxy = proxy
  }

  /** Sends one request. A redirect is a response like others. The caller reads or destroys the response. */
  async request(url: URL, request: PublicRequest, signal: AbortSignal): Promise<IncomingMessage> {
    return open(url, await this.addressOf(url, signal), this.#proxy, request, signal)
  }

  /** One address of the host, after all of them have been checked. */
  async addressOf({ hostname }: URL, signal: AbortSignal): Promise<string> {
    const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    const addresses = isIP(literal) === 0 ? await this.#resolve(hostname, signal) : [literal]
    const [first] = addresses
    if (first === undefined) throw new UrlRefused('the host has no address')
    if (!addresses.every(one => this.#guard.allows(one))) throw new UrlRefused('the address is not public')
    return first
  }
}

async function open(
  url: URL,
  address: string,
  proxy: string | undefined,
  { method, headers, body }: PublicRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const options =
    proxy === undefined
      ? directTo(url, address, headers)
      : await throughProxy(url, literalOf(address), headers, new URL(proxy), signal)
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request({ ...options, method, signal })
    request.on('response', resolve)
    request.on('error', reject)
    // After a 101 Node emits nothing else. Without this listener the exchange would wait forever.
    request.on('close', () => reject(new Error('closed without a response')))
    request.end(body)
  })
}

function directTo(url: URL, address: string, headers: PublicRequest['headers']): RequestOptions {
  const isSecure = url.protocol === 'https:'
  const family = isIP(address)
  return {
    ...urlToHttpOptions(url),
    agent: isSecure ? AGENTS['https:'] : AGENTS['http:'],
    headers,
    // By now the name may resolve to another address than the checked one.
    lookup: (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
  }
}

/** How long a proxy may take to open a tunnel. The time limit of the request is usually shorter. */
const TUNNEL_MS = 30_000

/** The proxy gets the checked address, never the name, which it could resolve to another one. */
async function throughProxy(
  url: URL,
  address: string,
  given: PublicRequest['headers'],
  proxy: URL,
  signal: AbortSignal,
): Promise<RequestOptions> {
  const headers = { ...given, host: url.host }
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
