/** The HTTP server: its limits, and the answers that Node would otherwise give by itself, without envelope and id. */
import { readFileSync } from 'node:fs'
import http, { type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import type { Config } from './config/config.ts'
import { failure, type GatewayError } from './errors.ts'
import { docsUrl } from './exchange.ts'
import { publicId, uuidv7 } from './ids.ts'
import type { Clock } from './services.ts'

const LIMITS: ServerOptions = {
  // A missing Host is answered by the router, in the envelope.
  requireHostHeader: false,
  maxHeaderSize: 32 * 1024,
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 10_000,
  // Longer than the idle timeout of the usual load balancers (60 s), so that they close first and never meet a reset.
  keepAliveTimeout: 75_000,
  noDelay: true,
}

export interface ServerHost {
  readonly clock: Clock
  /** As in ExchangeHost. */
  readonly docsBase: string | null
  /** Host and port of this server, for a request whose Host header was never read. */
  readonly authority: string
}

export function createServer(config: Config, host: ServerHost, listener: RequestListener): Server {
  const { tls } = config.listen
  const server: Server =
    tls === undefined
      ? http.createServer(LIMITS, listener)
      : https.createServer({ ...LIMITS, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener)
  // The body is asked for when it is wanted (body/read.ts), after the headers have been accepted.
  server.on('checkContinue', listener)
  server.on('checkExpectation', (req: IncomingMessage) => rawAnswer(req.socket, failure('http_417', {}), host))
  server.on('upgrade', (_req, socket: Duplex) => rawAnswer(socket, failure('http_426', {}), host))
  server.on('connect', (_req, socket: Duplex) =>
    rawAnswer(
      socket,
      failure('http_405', { method: 'CONNECT', allow: 'GET, POST' }, { headers: { allow: 'GET, POST' } }),
      host,
    ),
  )
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Duplex) => {
    // A reset has nobody left to answer; a socket that carries an answer already must not get a second one.
    if (cause.code === 'ECONNRESET' || !socket.writable || hasAnswer(socket)) return void socket.destroy()
    rawAnswer(socket, parserFailure(cause.code), host)
  })
  return server
}

function parserFailure(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return failure('http_431', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure('http_408', {})
  return failure('http_400', { problem: 'The request is not valid HTTP/1.1.' })
}

/** Node keeps the response that a connection is busy with on its socket. */
function hasAnswer(socket: Duplex): boolean {
  const { _httpMessage: message } = socket as { _httpMessage?: { headersSent: boolean } }
  return message?.headersSent === true
}

/** An answer outside any exchange: the parser gave up, or the protocol is not ours. The connection ends with it. */
function rawAnswer(socket: Duplex, error: GatewayError, { clock, docsBase, authority }: ServerHost): void {
  const id = `req_${publicId(uuidv7(clock.now()))}`
  const body = JSON.stringify({
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      request_id: id,
      docs_url: docsUrl(docsBase, authority, error.code),
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
  // What the client still sends is taken off the socket for a moment, so that it can read the answer before a reset.
  socket.resume()
  setTimeout(() => socket.destroy(), 500).unref()
}
