/** The whole life of an exchange, from the first header to the last byte. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FormBody, fieldTypes, readBody, requestBody, Upload } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import { PART, run } from '../core/chain.ts'
import { type Chain, Exchange, type HookCall } from '../core/exchange.ts'
import type { ExchangeHost } from '../core/exchange-types.ts'
import type { Dispatcher } from '../dispatch/dispatch.ts'
import { type GatewayError, toGatewayError } from '../errors/errors.ts'
import { readTarget } from '../http/protocol.ts'
import type { Router } from '../routes/router.ts'
import type { Route } from '../routes/routes.ts'
import { bodyValidator } from '../schemas/body-validator.ts'
import { readSchema } from '../schemas/read.ts'
import { openOutlet } from './client-outlet.ts'
import { PipeOutlet } from './pipe-outlet.ts'
import { abandon, CLIENT_GONE, type Ending, refusal, replyOf, respond } from './respond.ts'

/** What an exchange needs of the runtime that it begins in. */
export interface LifecycleHost {
  readonly config: Pick<Config, 'formats'>
  readonly host: ExchangeHost
  readonly router: Router<Chain>
  readonly dispatcher: Dispatcher
  /** Called when an exchange begins. */
  enter(exchange: Exchange): void
  /** Called once for each exchange, when its finish hooks have run and its response or its connection has closed. */
  leave(exchange: Exchange): void
}

/** Accepts a request. */
export function handle(runtime: LifecycleHost, req: IncomingMessage, res: ServerResponse): void {
  const target = readTarget(req)
  const { path, refusal: invalid } = target
  const { match, refusal } =
    invalid === undefined
      ? runtime.router.match(req.method ?? 'GET', path, req.headers)
      : runtime.router.refuse(path, req.headers, invalid)
  const exchange = new Exchange(runtime.host, match, req, res, target)
  runtime.enter(exchange)
  res.on('close', () => {
    exchange.disconnect()
    // Where the client has gone, a hook may still wait, and onFinish has not run: live() leaves.
    if (exchange.finished) leave(runtime, exchange)
  })
  void live(runtime, exchange, refusal)
}

/** Every exchange ends here, once: after a hook that was waiting when its client disconnected, too. */
async function live(runtime: LifecycleHost, exchange: Exchange, refused: GatewayError | undefined): Promise<void> {
  let error = refused
  let ending: Ending | undefined
  try {
    // Down: header hooks, the body, body hooks. Stops where a plugin replies or refuses, or the client disconnects.
    if (error === undefined) {
      const pending = run(exchange.chain.request, exchange)
      if (pending !== undefined) await pending
    } else error.refusedBy = PART.router
  } catch (thrown) {
    error = toGatewayError(thrown)
  }

  // Gate: decisions made elsewhere. Their refusals take precedence over those of hooks further down. They are awaited also
  // where the client has disconnected: no limit may count the request after its exchange has ended.
  const decision = exchange.gate.decision()
  if (decision !== undefined) error = (await decision) ?? error

  if (error === undefined && !exchange.gone) {
    try {
      if (exchange.replyValue !== null) {
        ending = replyOf(exchange, exchange.replyValue)
      } else {
        // Only the request in the slots is kept while a backend works.
        exchange.requestBody.release()
        // Dispatch, and back: backend, decoder, transformers, encoder. Resolves when the reply is over.
        const outlet = exchange.route.canonical
          ? openOutlet(exchange, runtime.config.formats)
          : new PipeOutlet(exchange)
        await runtime.dispatcher.dispatch(exchange, outlet)
        if (!exchange.gone) ending = outlet.ending()
      }
    } catch (thrown) {
      error = toGatewayError(thrown, PART.backend)
    }
  }

  // Finish: head, onFinish hooks, last bytes.
  end(runtime, exchange, exchange.gone ? CLIENT_GONE : ending, error)
}

function end(
  runtime: LifecycleHost,
  exchange: Exchange,
  ending: Ending | undefined,
  error: GatewayError | undefined,
): void {
  try {
    respond(exchange, ending ?? refusal(exchange, error!))
  } catch (thrown) {
    // For instance a header of a refusal that HTTP does not allow.
    abandon(exchange, thrown, error?.refusedBy)
  }
  if (exchange.gone) leave(runtime, exchange)
}

function leave(runtime: LifecycleHost, exchange: Exchange): void {
  exchange.admitted?.end()
  runtime.leave(exchange)
}

/** Larger bodies are refused. */
type BodyLimits = Pick<Config, 'body_limit_bytes' | 'audio_limit_bytes' | 'audio_held_bytes'>

/** A longer body is not read before the gate has opened. */
const SHORT_BODY = 65_536

/** The steps between header hooks and body hooks: they read the body, or as much of a form as is held. */
export function readingSteps(route: Route, limits: BodyLimits): readonly HookCall[] {
  const admit: HookCall = { plugin: PART.body, call: ({ req, gate }) => (isShort(req) ? undefined : gate.opened()) }
  if (route.form && route.body !== null) {
    const rules = {
      types: fieldTypes(readSchema(`bodies/${route.body}`)),
      check: bodyValidator(route.body),
      limit: limits.audio_limit_bytes,
      heldBytes: limits.audio_held_bytes,
    }
    const call = async (exchange: Exchange) => {
      // The rest of the file passes through.
      const held = Math.min(rules.heldBytes, Number(exchange.headers['content-length'] ?? rules.heldBytes))
      await exchange.charge.reserve(held)
      exchange.requestBody = new FormBody(await Upload.read(exchange, rules))
    }
    return [admit, { plugin: PART.body, call: exchange => countedBody(exchange, call) }]
  }
  const limitBytes = limits.body_limit_bytes
  return [
    admit,
    {
      plugin: PART.body,
      async call(exchange) {
        // Routes that are not proxied read every text: keeping them as bytes would save nothing.
        const { slowUploads } = exchange.host.bodies
        const host = { charge: exchange.charge, slowUploads }
        const read = await countedBody(exchange, () => readBody(exchange, limitBytes, route.proxied, host))
        if (exchange.gone) return
        exchange.bodyBytes = read.size
        exchange.requestBody = requestBody(read)
        exchange.isHeavy = exchange.requestBody.isHeavy
      },
    },
  ]
}

/** Counts the body among those of its key and account while it is read. */
async function countedBody<T>(exchange: Exchange, read: (exchange: Exchange) => Promise<T>): Promise<T> {
  const { admitted } = exchange
  admitted?.beginBody()
  try {
    return await read(exchange)
  } finally {
    admitted?.endBody()
  }
}

/** A client that waits for 100 (Continue) does not get it before it is clear that its request is admitted. */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= SHORT_BODY && headers.expect === undefined
}
