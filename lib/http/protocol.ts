/** Checks for requests that Node's parser accepts, but that servers understand differently (RFC 9112, RFC 9110). */
import type { IncomingMessage } from 'node:http'
import { failure, type GatewayError } from '../errors/errors.ts'

/** Target of a request, by its request line and Host header. */
export interface RequestTarget {
  readonly path: string
  /** Without `?`; empty when there is none. */
  readonly query: string
  /** Set where the request is invalid. */
  readonly refusal: GatewayError | undefined
}

/** A name, an IPv4 address or an IPv6 address in brackets; several Host lines arrive joined by a comma. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** The absolute form, `http://host/path?query`, which every server must accept (RFC 9112 section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/** The last valid Host header: nearly all requests have the same one. */
let knownHost: string | undefined

export function readTarget(req: IncomingMessage): RequestTarget {
  const url = req.url ?? '/'
  let refusal = refusalOf(req)
  let local = url
  if (!url.startsWith('/')) {
    const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? []
    if (authority !== undefined) {
      local = rest.startsWith('/') ? rest : `/${rest}`
      if (authority.toLowerCase() !== req.headers.host?.toLowerCase()) {
        refusal ??= failure('http_400', { problem: 'The request line and the Host header name different hosts.' })
      }
    }
  }
  const mark = local.indexOf('?')
  return mark < 0
    ? { path: local, query: '', refusal }
    : { path: local.slice(0, mark), query: local.slice(mark + 1), refusal }
}

function refusalOf(req: IncomingMessage): GatewayError | undefined {
  const { headers } = req
  if (req.httpVersionMajor !== 1 || req.httpVersionMinor > 1)
    return invalid('The protocol must be HTTP/1.1 or HTTP/1.0.')
  const { host } = headers
  if (host === undefined) {
    if (req.httpVersionMinor === 1) return invalid('A Host header is needed.')
  } else if (host !== knownHost) {
    if (!HOST.test(host)) {
      // docs_url would contain it.
      delete headers.host
      return invalid('The Host header must name one host.')
    }
    knownHost = host
  }
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    return invalid("The only supported Transfer-Encoding is 'chunked'.")
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return failure('http_417', {})
  // An offer to upgrade to HTTP/2 may be ignored; a client that needs a WebSocket gets an error.
  if (headers.upgrade !== undefined && /websocket/i.test(headers.upgrade)) return failure('http_426', {})
  return undefined
}

function invalid(problem: string): GatewayError {
  return failure('http_400', { problem })
}
