/** The HTTP server with its limits. Sends the errors that Node would send without envelope and request id. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { longWork } from '../base/long-work.ts'
import { breakBody } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { readCertificate } from './certificate.ts'
import type { Connections } from './connections.ts'
import { RequestQueue } from './incoming.ts'
import { type ParserError, parserFailure, type RejectionHost, reject, targetIn } from './rejection.ts'

const LIMITS: ServerOptions = {
  maxHeaderSize: 32 * 1024,
  // readTarget() refuses a missing Host header with an envelope (incoming.ts).
  requireHostHeader: false,
  // By default, Node keeps the first of two Host or Authorization lines and hides the second.
  joinDuplicateHeaders: true,
  // Longer than the idle timeout of common load balancers (60 s): they close first, so they never receive a reset.
  keepAliveTimeout: 75_000,
  noDelay: true,
}

interface ServerHost extends RejectionHost {
  readonly connections: Connections
  /** A request was rejected before it became an exchange. */
  refused(error: GatewayError): void
}

/** Creates the server. `listener` receives the requests of each connection one after the other. */
export function createServer(config: Config, host: ServerHost, listener: RequestListener): Server {
  const { tls } = config.listen
  const { request_ms } = config.timeouts
  // The head is a part of the request, and Node refuses to wait longer for it.
  const headersTimeout = Math.min(config.timeouts.headers_ms, request_ms)
  const options: ServerOptions = {
    ...LIMITS,
    headersTimeout,
    requestTimeout: request_ms,
    connectionsCheckingInterval: Math.min(10_000, Math.ceil(headersTimeout / 4)),
  }
  const requests = new RequestQueue(listener)
  const server: Server =
    tls === undefined
      ? createHttpServer(options, requests.add)
      : https.createServer({ ...options, ...readCertificate(tls) }, requests.add)
  // maxHeaderSize limits the headers. Node would silently drop headers beyond a count.
  server.maxHeadersCount = 0
  server.on('connection', () => longWork.accepted())
  host.connections.watch(server, socket => requests.isIdle(socket))
  // The body reader sends `100 Continue` (body/read.ts), after the header hooks have accepted the request.
  server.on('checkContinue', requests.add)
  server.on('checkExpectation', requests.add)

  const rejected = new WeakSet<Duplex>()
  const rejectOnce = (socket: Duplex, error: GatewayError, path: string) => {
    rejected.add(socket)
    host.refused(error)
    reject(socket, error, path, host)
  }
  server.on('connect', (_req, socket: Duplex) => {
    const unfinished = requests.unfinished(socket)
    if (unfinished === undefined) return rejectOnce(socket, connectRefusal(), '')
    closeAfter(unfinished)
    // Node no longer handles this socket. Without a listener, an error of the socket would end the process.
    socket.on('error', () => {})
    socket.resume()
    unfinished.on('close', () => socket.end())
  })
  /** TCP connections below TLS, by the client's address and port. An error of TLS has destroyed only its own socket. */
  const below = new Map<string, Socket>()
  if (tls !== undefined)
    server.on('connection', (socket: Socket) => {
      const name = peerOf(socket)
      below.set(name, socket)
      // A new connection from the same port may open before this event.
      socket.once('close', () => {
        if (below.get(name) === socket) below.delete(name)
      })
    })
  server.on('clientError', (cause: ParserError, socket: Socket) => {
    if (rejected.has(socket)) return
    const plain = cause.code === 'ERR_SSL_HTTP_REQUEST' ? below.get(peerOf(socket)) : undefined
    if (plain !== undefined) return rejectOnce(plain, failure('http_400', { problem: 'This port speaks HTTPS.' }), '')
    if (cause.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const error = parserFailure(cause)
    const unfinished = requests.unfinished(socket)
    if (unfinished === undefined) return rejectOnce(socket, error, targetIn(cause.rawPacket))
    // The invalid bytes belong to the body of a request that has a response of its own, or follow it.
    closeAfter(unfinished)
    if (unfinished.req.complete) return
    // A client that half-closes during a short JSON body may still read the error. During an upload, it has gone.
    if (cause.code === 'HPE_INVALID_EOF_STATE' && isForm(unfinished.req)) socket.destroy()
    else breakBody(unfinished.req, error)
  })
  return server
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('multipart/') === true
}

/** Closes the connection after this response. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

function connectRefusal(): GatewayError {
  return failure('http_405', { method: 'CONNECT', allow: 'GET, POST' }, { headers: { allow: 'GET, POST' } })
}

/** Applies the certificate and timeouts of a reload. Throws, and changes nothing, if the certificate is unusable. */
export function updateServer(server: Server, { listen: { tls }, timeouts }: Config): void {
  if (server instanceof https.Server && tls !== undefined) server.setSecureContext(readCertificate(tls))
  server.headersTimeout = timeouts.headers_ms
  server.requestTimeout = timeouts.request_ms
}
