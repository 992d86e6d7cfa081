/** Endings of an exchange whose response does not come from an outlet: replies of plugins, refusals, faults. */
import { pipeline, Readable } from 'node:stream'
import type { Flushable } from '../base/write-queue.ts'
import { discardBody, isUnread, isWorthReading } from '../body/index.ts'
import { PART } from '../core/chain.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Reply } from '../core/exchange-types.ts'
import { destroyReplyStream, type Ending, finish, writeHead } from '../core/hooks.ts'
import type { Outcome } from '../core/plugin.ts'
import { docsUrl, envelope } from '../errors/envelope.ts'
import { type ErrorBody, type GatewayError, toGatewayError } from '../errors/errors.ts'

/** Ends an exchange whose response could not be written: logs the fault and closes the connection. */
export function abandon(exchange: Exchange, thrown: unknown, source: string = PART.backend): void {
  const { host, res } = exchange
  destroyReplyStream(exchange)
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

export function endResponse(exchange: Exchange, bytes?: Buffer): void {
  exchange.res.end(bytes)
  exchange.disconnectIfUnread()
}

/** A response whose body is complete. */
export class WholeResponse implements Ending, Flushable {
  readonly outcome: Outcome
  readonly error: GatewayError | undefined
  readonly #exchange: Exchange
  readonly #status: number
  readonly #contentType: string
  readonly #body: Buffer
  /** The client is still sending its request. */
  #isUnread = false

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
    // These responses have no content (RFC 9110 sections 8.6 and 15.4.5).
    if (this.#status !== 204 && this.#status !== 304)
      head.push('content-type', this.#contentType, 'content-length', String(this.#body.length))
    for (const [name, value] of Object.entries(this.error?.headers ?? {})) head.push(name, value)
    this.#isUnread = isUnread(req)
    if (this.#isUnread && !isWorthReading(req)) res.shouldKeepAlive = false
    writeHead(this.#exchange, this.#status, head)
  }

  sendLast(): void {
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    const { req, res } = this.#exchange
    if (req.method === 'HEAD') return endResponse(this.#exchange)
    if (!this.#isUnread) return endResponse(this.#exchange, this.#body)
    // Ending the response might close the connection. A client that is still sending would then receive a reset.
    res.write(this.#body)
    discardBody(req, () => endResponse(this.#exchange))
  }
}

/** A plugin's reply that is sent while it is read. */
class StreamedResponse implements Ending, Flushable {
  readonly outcome = 'done'
  readonly error = undefined
  readonly sendsStream = true
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
    // If the stream fails before onFlush(), pipeline() reports it.
    this.#body.on('error', () => {})
    this.#exchange.host.writes.add(this)
  }

  onFlush(): void {
    const { req, res, host } = this.#exchange
    if (req.method === 'HEAD') {
      this.#body.destroy()
      return endResponse(this.#exchange)
    }
    res.setTimeout(host.clientIdleMs, () => res.destroy())
    // If the stream fails, pipeline() closes the connection, which shows the client that the response is incomplete.
    pipeline(this.#body, res, () => {})
  }
}

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

/** Logs the cause of an internal_error, which clients are not shown. */
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
    param: param === undefined || ownParam ? param : chain.format.toClientParam(param, exchange.body),
  })
}
