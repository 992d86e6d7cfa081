/** The last steps of every exchange: the head, the hooks that end it, and the bytes of an answer made here. */
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { Flushable } from '../base/write-queue.ts'
import { drain, isUnread, isWorthReading } from '../body/read.ts'
import type { Exchange, Reply } from '../core/exchange.ts'
import type { Outcome } from '../core/plugin.ts'
import { type GatewayError, toGatewayError } from '../errors/errors.ts'

/** The response head: what plugins added and what the answer itself needs. */
export function writeHead(exchange: Exchange, status: number, own: readonly string[]): void {
  exchange.status = status
  for (const hook of exchange.chain.response) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      blame(exchange, hook, thrown)
    }
  }
  const headers = exchange.responseHeaders
  for (const value of own) headers.push(value)
  exchange.res.writeHead(status, headers)
}

/**
 * Runs every onFinish, exactly once. It comes before the last byte leaves: a client that has its whole answer finds
 * the record written and its slot free.
 */
export function finish(exchange: Exchange, outcome: Outcome, error?: GatewayError): void {
  if (exchange.finished) return
  exchange.finished = true
  exchange.finishedMono = exchange.host.clock.monotonic()
  exchange.outcome = outcome
  if (error !== undefined) exchange.error = error
  if (outcome === 'client_gone') exchange.status = CLIENT_CLOSED_REQUEST
  exchange.lease?.release()
  for (const hook of exchange.chain.finish) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      // One plugin's fault must not keep the others from giving back what they took.
      blame(exchange, hook, thrown)
    }
  }
}

function blame(exchange: Exchange, hook: unknown, thrown: unknown): void {
  exchange.plugin = exchange.chain.owners.get(hook) ?? exchange.plugin
  exchange.host.fault(exchange, thrown)
}

/** nginx's number for a client that left; seen in records and metrics only. */
const CLIENT_CLOSED_REQUEST = 499

/** Sends the last bytes of an answer, and with them the end of it. */
export function endReply({ res, host }: Exchange, last: Buffer | string | undefined): void {
  host.writes.add(new LastBytes(res, last))
}

class LastBytes implements Flushable {
  readonly #res: ServerResponse
  readonly #last: Buffer | string | undefined

  constructor(res: ServerResponse, last: Buffer | string | undefined) {
    this.#res = res
    this.#last = last
  }

  onFlush(): void {
    this.#res.end(this.#last)
  }
}

/** Up to this length, in characters, head and text are written as one string, which saves a copy. */
const SHORT_TEXT = 4096

/** One whole answer: head, end of the exchange, body. */
export function answer(
  exchange: Exchange,
  status: number,
  contentType: string,
  text: string,
  outcome: Outcome,
  error?: GatewayError,
): void {
  const { res, req } = exchange
  if (exchange.finished) return
  const last = text.length <= SHORT_TEXT ? text : Buffer.from(text)
  exchange.status = status
  exchange.error = error
  // A 204 says by itself that nothing follows (RFC 9110 section 8.6).
  const head = status === 204 ? [] : ['content-type', contentType, 'content-length', String(Buffer.byteLength(last))]
  if (error?.details.headers !== undefined)
    for (const [name, value] of Object.entries(error.details.headers)) head.push(name, value)
  const unread = isUnread(req)
  if (unread && !isWorthReading(req)) res.shouldKeepAlive = false
  writeHead(exchange, status, head)
  finish(exchange, outcome, error)
  if (req.method === 'HEAD') return endReply(exchange, undefined)
  if (!unread) return endReply(exchange, last)
  // Ending the response might close the connection: a client that is still sending would meet a reset instead.
  res.write(last)
  drain(req, () => res.end())
}

/** Gives the answer of a plugin. A client that leaves a stream unread for `idleMs` is cut off. */
export function answerReply(exchange: Exchange, { status, body, contentType }: Reply, idleMs: number): void {
  if (!(body instanceof Readable)) {
    return answer(exchange, status, contentType, typeof body === 'string' ? body : JSON.stringify(body), 'done')
  }
  const { res } = exchange
  writeHead(exchange, status, ['content-type', contentType])
  finish(exchange, 'done')
  res.setTimeout(idleMs, () => res.destroy())
  // A stream that breaks takes the connection with it: so the client sees that the answer is not complete.
  pipeline(body, res, () => {})
}

/** Answers with the error's envelope in the client's format (docs/api/errors.md#envelope). */
export function refuse(exchange: Exchange, thrown: unknown): void {
  const error = toGatewayError(thrown)
  if (error.code === 'internal_error' && error.details.cause !== undefined)
    exchange.host.fault(exchange, error.details.cause)
  exchange.host.refused(exchange, error)
  const body = exchange.chain.format.toErrorBody(exchange.errorBody(error))
  answer(exchange, error.status, 'application/json', JSON.stringify(body), 'failed', error)
}
