/** The HTTP server: its limits, and the answers that Node would otherwise give by itself, without envelope and id. */
import { readFileSync } from 'node:fs'
import http, { type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import type { Clock } from '../base/clock.ts'
import { publicId, uuidv7 } from '../base/ids.ts'
import { breakBody } from '../body/broken.ts'
import type { Config } from '../config/config.ts'
import { type DocsHost, docsUrl } from '../core/exchange.ts'
import { failure, type GatewayError } from '../errors/errors.ts'

const LIMITS: ServerOptions = {
  maxHeaderSize: 32 * 1024,
  // A missing Host is answered in the envelope (protocol.ts).
  requireHostHeader: false,
  // Node would take the first of two Host or Authorization lines and hide the other.
  joinDuplicateHeaders: true,
  // Longer than the idle timeout of the usual load balancers (60 s), so that they close first and never meet a reset.
  keepAliveTimeout: 75_000,
  noDelay: true,
}

/** How long what a client still sends is taken off a connection that ends, so that it can read why. */
const LINGER_MS = 500

export interface ServerHost extends DocsHost {
  readonly clock: Clock
  /** Host and port of this server, for a request whose Host header was never read. */
  readonly authority: string
  /** A request was refused before it became an exchange. */
  refused(error: GatewayError): void
}

export function createServer(config: Config, host: ServerHost, listener: RequestListener): Server {
  const { tls } = config.listen
  const { headers_ms, request_ms } = config.timeouts
  const options: ServerOptions = {
    ...LIMITS,
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    connectionsCheckingInterval: Math.min(10_000, Math.ceil(Math.min(headers_ms, request_ms) / 4)),
  }
  const connections = new WeakMap<Duplex, Connection>()
  const serve: RequestListener = (req, res) => {
    const { socket } = req
    const connection = connections.get(socket)
    if (connection === undefined) connections.set(socket, { last: res, waiting: 0 })
    else if (connection.last.writableFinished) connection.last = res
    else return queue(connection, res, () => listener(req, res))
    listener(req, res)
  }
  const server: Server =
    tls === undefined
      ? http.createServer(options, serve)
      : https.createServer({ ...options, ...readCertificate(tls) }, serve)
  // The size of all headers together is limited; beyond a number of them Node would leave out the rest without a word.
  server.maxHeadersCount = 0
  // The body is asked for when it is wanted (body/read.ts), after the headers have been accepted.
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)

  const ending = new WeakSet<Duplex>()
  const refuse = (socket: Duplex, error: GatewayError) => {
    ending.add(socket)
    host.refused(error)
    answer(socket, error, host)
  }
  server.on('connect', (_req, socket: Duplex) => {
    const owed = owedAnswer(connections.get(socket))
    if (owed === undefined) return refuse(socket, CONNECT_REFUSED)
    // Node has let go of this connection: nobody else would end it.
    socket.on('error', () => {})
    socket.resume()
    owed.on('close', () => socket.end())
  })
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Duplex) => {
    if (ending.has(socket)) return
    // A reset has nobody left to answer.
    if (cause.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const error = parserFailure(cause.code)
    const owed = owedAnswer(connections.get(socket))
    if (owed === undefined) return refuse(socket, error)
    // What cannot be read is the body of a request that has its own answer coming, or what stands behind it.
    if (!owed.req.complete) breakBody(owed.req, error)
  })
  return server
}

/**
 * Takes up what a reload may have changed, for connections and requests that begin from now on. Throws and changes nothing
 * where the certificate cannot be used.
 */
export function updateServer(server: Server, { listen: { tls }, timeouts }: Config): void {
  if (server instanceof https.Server && tls !== undefined) server.setSecureContext(readCertificate(tls))
  server.headersTimeout = timeouts.headers_ms
  server.requestTimeout = timeouts.request_ms
}

/** Of the file, which whoever renews a certificate replaces under the same name. */
function readCertificate({ cert, key }: NonNullable<Config['listen']['tls']>): SecureContextOptions {
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

interface Connection {
  /** The response to the newest request on this connection. */
  last: ServerResponse
  /** Requests that came before the answer to the one before them was complete. */
  waiting: number
}

/** Requests that one connection may send ahead. No client that is known sends any. */
const MOST_WAITING = 100

/**
 * Node hands out a request at once that was sent ahead, but tells nobody when its client leaves before its turn. So it
 * begins when the answer before it is complete, and not at all when there is nobody left.
 */
function queue(connection: Connection, res: ServerResponse, begin: () => void): void {
  const { socket } = res.req
  if (++connection.waiting > MOST_WAITING) return void socket.destroy()
  connection.last.once('close', () => {
    connection.waiting--
    if (!socket.destroyed) begin()
  })
  connection.last = res
}

const CONNECT_REFUSED = failure(
  'http_405',
  { method: 'CONNECT', allow: 'GET, POST' },
  { headers: { allow: 'GET, POST' } },
)

/** The last answer that is still to come on a connection: it goes first, and then the connection ends. */
function owedAnswer(connection: Connection | undefined): ServerResponse | undefined {
  if (connection === undefined || connection.last.writableFinished) return undefined
  const { last } = connection
  if (!last.headersSent) last.shouldKeepAlive = false
  return last
}

function parserFailure(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return failure('http_431', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure('http_408', {})
  return failure('http_400', { problem: 'The request is not valid HTTP/1.1.' })
}

/** An answer outside any exchange. The connection ends with it. */
function answer(socket: Duplex, error: GatewayError, host: ServerHost): void {
  const id = `req_${publicId(uuidv7(host.clock.now()))}`
  const body = JSON.stringify({
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      request_id: id,
      docs_url: docsUrl(host, host.authority, error.code),
    },
  })
  const headers = [
    `HTTP/1.1 ${error.status} ${http.STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    ...Object.entries(error.details.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.on('error', () => {})
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
