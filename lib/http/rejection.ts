/** Responses to requests that never become an exchange: parser errors, CONNECT, timeouts. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { publicId, uuidv7 } from '../base/ids.ts'
import { type DocsHost, docsUrl, envelope } from '../errors/envelope.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { formatOf } from '../formats/index.ts'
import { unmatched } from '../routes/routes.ts'

export interface RejectionHost extends DocsHost {
  readonly clock: Clock
  /** Host and port of this server, used if the Host header has not been read. */
  readonly authority: string
}

/**
 * How long the rest of a request is discarded before the connection closes. Unread bytes would reset the connection,
 * and the client may lose the response.
 */
const LINGER_MS = 500

/** The start of a request line: method and target. */
const REQUEST_LINE = /^[A-Z]+ ([^ \r\n]+) /

/** How many bytes are searched for a request line. */
const MAX_LINE = 256

/** An error of Node's HTTP server. `rawPacket`: the packet in which the parser stopped. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

export function parserFailure({ code }: ParserError): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return failure('http_431', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure('http_408', {})
  return failure('http_400', { problem: 'The request is not valid HTTP/1.1.' })
}

/** Target of the request at the start of these bytes; '': they do not start with a request line. */
export function targetIn(bytes: Buffer | undefined): string {
  return bytes === undefined ? '' : (REQUEST_LINE.exec(bytes.toString('latin1', 0, MAX_LINE))?.[1] ?? '')
}

/** Sends the error in the envelope of the path's format, and ends the connection. `path`: '' if it is unknown. */
export function reject(socket: Duplex, error: GatewayError, path: string, host: RejectionHost): void {
  const requestId = `req_${publicId(uuidv7(host.clock.now()))}`
  const format = formatOf(unmatched(path).format)
  const docs = docsUrl(host, `http${host.secure ? 's' : ''}://${host.authority}`, error.code)
  const body = JSON.stringify(format.toErrorBody(envelope(error, { requestId, docs })))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.on('error', ignore)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function ignore(): void {}
