/** The end of an exchange: response head, finish hooks, last bytes. */
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { Flushable } from '../base/write-queue.ts'
import { discardBody, isUnread, isWorthReading } from '../body/index.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Reply } from '../core/exchange-types.ts'
import type { Outcome } from '../core/plugin.ts'
import { docsUrl, envelope } from '../errors/envelope.ts'
import { type ErrorBody, type GatewayError, toGatewayError } from '../errors/errors.ts'

/** How an exchange ends: its outcome, and the bytes that the client still gets. */
export interface Ending {
  readonly outcome: Outcome
  /** Why it was refused or has failed. */
  readonly error: GatewayError | undefined
  /** Sends the head, if it has not been sent. */
  sendHead(): void
  /** Sends the last bytes, and with them the end of the response. */
  sendLast(): void
}

/** Ends the exchange. A client that has its whole response finds the record written and its leases released. */
export function respond(exchange: Exchange, ending: Ending): void {
  if (!(ending instanceof StreamedResponse)) dropStream(exchange)
  ending.sendHead()
  finish(exchange, ending.outcome, ending.error)
  ending.sendLast()
}

/** The response head: what plugins have set, then `own`, the headers of the response itself. */
export function writeHead(exchange: Exchange, status: number, own: readonly string[]): void {
  exchange.status = status
  const { send, owners } = exchange.chain
  for (const hook of send) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      exchange.host.fault(exchange, thrown, owners.get(hook))
    }
  }
  const headers = exchange.responseHeaders
  for (const value of own) headers.push(value)
  exchange.res.writeHead(status, headers)
}

/** nginx's status for a client that has disconnected; in records and metrics only. */
const CLIENT_CLOSED_REQUEST = 499

/** Runs every onFinish, bottom to top. */
export function finish(exchange: Exchange, outcome: Outcome, error?: GatewayError): void {
  exchange.finished = true
  exchange.finishedMono = exchange.host.clock.monotonic()
  exchange.outcome = outcome
  exchange.error = error
  if (outcome === 'client_gone') exchange.status = CLIENT_CLOSED_REQUEST
  exchange.upstream.modelLease?.release()
  exchange.bodyCharge?.release()
  const { finish: hooks, owners } = exchange.chain
  for (const hook of hooks) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      // The other plugins must still release what they hold.
      exchange.host.fault(exchange, thrown, owners.get(hook))
    }
  }
}

/** A plugin's reply that is not sent after all: unread, it would hold its file, or its place among others, for ever. */
function dropStream({ replyValue }: Exchange): void {
  if (replyValue?.body instanceof Readable) replyValue.body.on('error', () => {}).destroy()
}

/** Ends an exchange whose response could not be written: logs the fault and closes the connection. */
export function abandon(exchange: Exchange, thrown: unknown, source: string = PART.backend): void {
  const { host, res } = exchange
  dropStream(exchange)
  host.fault(exchange, thrown, source)
  if (!exchange.finished) {
    const error = toGatewayError(thrown, source)
    if (!res.headersSent) exchange.status = error.status
    finish(exchange, 'failed', error)
  }
  res.destroy()
}

/** The client has disconnected: nothing is sent. */
export const CLIENT_GONE: Ending = { outcome: 'client_gone', error: undefined, sendHead() {}, sendLast() {} }

/** Writes the last bytes. */
export function endResponse(exchange: Exchange, bytes?: Buffer): void {
  exchange.res.end(bytes)
  disconnectUnread(exchange)
}

/** Disconnects a client that does not read the last bytes, because nothing else watches it any more. */
export function disconnectUnread({ res, host }: Exchange): void {
  // Nearly always the operating system has taken everything at once.
  if (!res.writableFinished) disconnectIdle(res, host.clientIdleMs)
}

/** Disconnects a client that reads nothing for `idleMs`. */
function disconnectIdle(res: ServerResponse, idleMs: number): void {
  res.setTimeout(idleMs, () => res.destroy())
}

/** A response whose body is complete. */
export class WholeResponse implements Ending, Flushable {
  readonly outcome: Outcome
  readonly error: GatewayError | undefined
  readonly #exchange: Exchange
  readonly #status: number
  readonly #contentType: string
  readonly #body: Buffer
  #unread = false

  constructor(exchange: Exchange, status: number, contentType: string, text: string, error?: GatewayError) {
    this.outcome = error === undefined ? 'done' : 'failed'
    this.error = error
    this.#exchange = exchange
    this.#status = status
    this.#contentType = contentType
    this.#body = Buffer.from(text)
  }

  sendHead(): void {
    const { req, res } = this.#exchange
    const head: string[] = []
    // A 204 has no body by itself (RFC 9110 section 8.6).
    if (this.#status !== 204) head.push('content-type', this.#contentType, 'content-length', String(this.#body.length))
    if (this.error?.details.headers !== undefined)
      for (const [name, value] of Object.entries(this.error.details.headers)) head.push(name, value)
    this.#unread = isUnread(req)
    if (this.#unread && !isWorthReading(req)) res.shouldKeepAlive = false
    writeHead(this.#exchange, this.#status, head)
  }

  sendLast(): void {
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    const { req, res } = this.#exchange
    if (req.method === 'HEAD') return endResponse(this.#exchange)
    if (!this.#unread) return endResponse(this.#exchange, this.#body)
    // Ending the response might close the connection, and a client that is still sending would read a reset.
    res.write(this.#body)
    discardBody(req, () => endResponse(this.#exchange))
  }
}

/** A plugin's reply that is read while it is sent. */
class StreamedResponse implements Ending, Flushable {
  readonly outcome = 'done'
  readonly error = undefined
  readonly #exchange: Exchange
  readonly #reply: Reply
  readonly #body: Readable

  constructor(exchange: Exchange, reply: Reply, body: Readable) {
    this.#exchange = exchange
    this.#reply = reply
    this.#body = body
  }

  sendHead(): void {
    writeHead(this.#exchange, this.#reply.status, ['content-type', this.#reply.contentType])
  }

  sendLast(): void {
    // The stream may fail before it is read: pipeline() then finds it broken.
    this.#body.on('error', () => {})
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    const { res, host } = this.#exchange
    disconnectIdle(res, host.clientIdleMs)
    // A stream that breaks closes the connection: so the client sees that the response is not complete.
    pipeline(this.#body, res, () => {})
  }
}

/** The reply of a plugin. */
export function replyOf(exchange: Exchange, reply: Reply): Ending {
  const { status, body, contentType } = reply
  if (typeof body === 'string') return new WholeResponse(exchange, status, contentType, body)
  if (body instanceof Readable) return new StreamedResponse(exchange, reply, body)
  return new WholeResponse(exchange, status, contentType, JSON.stringify(body))
}

/** An error response: the envelope in the client's format (docs/api/errors.md). */
export function refusal(exchange: Exchange, error: GatewayError): Ending {
  reportFault(exchange, error)
  exchange.host.refused(error)
  const body = exchange.chain.format.toErrorBody(errorBody(exchange, error))
  return new WholeResponse(exchange, error.status, 'application/json', JSON.stringify(body), error)
}

/** Logs the cause of an internal_error, which clients do not see. */
export function reportFault(exchange: Exchange, { code, details, refusedBy }: GatewayError): void {
  if (code === 'internal_error' && details.cause !== undefined) exchange.host.fault(exchange, details.cause, refusedBy)
}

/** The inner object of the envelope for an error of this exchange. */
export function errorBody(exchange: Exchange, error: GatewayError): ErrorBody {
  const { requestId, host, chain } = exchange
  const { param, ownParam } = error.details
  return envelope(error, {
    requestId,
    docs: docsUrl(host, exchange.origin, error.code),
    param: param === undefined || ownParam ? param : chain.format.toClientParam(param),
  })
}
