/** Requests as they arrive on a connection: pipelined ones wait for their turn, and ambiguous ones are refused. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure, type GatewayError } from '../errors/errors.ts'

/** Maximum number of requests that wait on one connection. No known client of these APIs pipelines. */
const MAX_WAITING = 100

interface Connection {
  /** Response to the newest request. null once complete: an idle connection must not retain a request with its body. */
  last: ServerResponse | null
  /** Number of requests that have not begun. */
  waiting: number
}

/**
 * Begins the requests of a connection one after the other. Node emits a pipelined request at once, but no `close` if
 * the client disconnects before earlier responses are complete (docs/adr/0022-pipelined-requests-wait.md).
 */
export class RequestQueue {
  readonly #connections = new WeakMap<Duplex, Connection>()
  readonly #begin: RequestListener
  /** The `close` listener of every response. */
  readonly #onClose: (this: ServerResponse) => void

  /** `begin`: called for each request when the response before it is complete, and never after a disconnect. */
  constructor(begin: RequestListener) {
    this.#begin = begin
    const connections = this.#connections
    this.#onClose = function () {
      const connection = connections.get(this.req.socket)
      if (connection?.last === this) connection.last = null
    }
  }

  readonly add: RequestListener = (req, res) => {
    const { socket } = req
    const connection = this.#connections.get(socket)
    const before = connection && unfinishedOf(connection)
    res.on('close', this.#onClose)
    if (connection === undefined) {
      this.#connections.set(socket, { last: res, waiting: 0 })
    } else if (before === undefined) {
      connection.last = res
    } else {
      if (++connection.waiting > MAX_WAITING) return void socket.destroy()
      before.once('close', () => {
        connection.waiting--
        if (!socket.destroyed) this.#begin(req, res)
      })
      connection.last = res
      return
    }
    this.#begin(req, res)
  }

  /** True if the connection has had a request, and every response is complete. */
  isIdle(socket: Duplex): boolean {
    const connection = this.#connections.get(socket)
    return connection !== undefined && unfinishedOf(connection) === undefined
  }

  /** The newest response of a connection if it is incomplete; otherwise undefined. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const connection = this.#connections.get(socket)
    return connection && unfinishedOf(connection)
  }
}

/** Checks `writableFinished` too, because Node emits `close` shortly after the response is complete. */
function unfinishedOf({ last }: Connection): ServerResponse | undefined {
  return last === null || last.writableFinished ? undefined : last
}

/** Target of a request, from its request line and its Host header. */
interface RequestTarget {
  readonly path: string
  /** Without `?`; '': the target has no query. */
  readonly query: string
  /** Set if the request is invalid. */
  readonly refusal: GatewayError | undefined
}

/** A name, an IPv4 address, or an IPv6 address in brackets; not several Host lines, which Node joins by a comma. */
const HOST = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** The absolute form, `http://host/path?query`, which every server must accept (RFC 9112 section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/** The last valid Host header. It is cached because nearly all requests have the same one. */
let knownHost: string | undefined

/** Reads the target. Refuses what Node parses but servers interpret differently (RFC 9112, RFC 9110). */
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
      // Deleted, because docs_url would contain the invalid name.
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
  // A server may ignore an offer to upgrade to HTTP/2. A client that needs a WebSocket receives an error.
  if (headers.upgrade !== undefined && /websocket/i.test(headers.upgrade)) return failure('http_426', {})
  return undefined
}

function invalid(problem: string): GatewayError {
  return failure('http_400', { problem })
}
