/** The life of an exchange, from the first header to the last byte. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FormBody, fieldTypes, readBody, requestBody, Upload, watchUpload } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import { PART } from '../core/chain.ts'
import { type Chain, Exchange, type HookCall } from '../core/exchange.ts'
import type { ExchangeHost } from '../core/exchange-types.ts'
import { type Ending, respond, run } from '../core/hooks.ts'
import type { Dispatcher } from '../dispatch/dispatch.ts'
import { type GatewayError, toGatewayError } from '../errors/errors.ts'
import { readTarget } from '../http/incoming.ts'
import type { Router } from '../routes/router.ts'
import type { Route } from '../routes/routes.ts'
import { bodyValidator } from '../schemas/body-validator.ts'
import { readSchema } from '../schemas/read.ts'
import { openOutlet } from './client-outlet.ts'
import { PipeOutlet } from './pipe-outlet.ts'
import { abandon, CLIENT_GONE, refusal, replyOf } from './respond.ts'

export interface LifecycleHost {
  readonly config: Pick<Config, 'formats'>
  readonly host: ExchangeHost
  readonly router: Router<Chain>
  readonly dispatcher: Dispatcher
  enter(exchange: Exchange): void
  /** Called once per exchange, after its finish hooks, when its response has been sent or its connection has closed. */
  leave(exchange: Exchange): void
}

export function handle(runtime: LifecycleHost, req: IncomingMessage, res: ServerResponse): void {
  const target = readTarget(req)
  const { path, refusal: invalid } = target
  const { match, refusal } =
    invalid === undefined
      ? runtime.router.match(req.method ?? 'GET', path, req.headers)
      : runtime.router.refuse(path, req.headers, invalid)
  begin(runtime, new Exchange(runtime.host, match, req, res, target), refusal)
}

/** Runs an exchange to its end. */
export function begin(runtime: LifecycleHost, exchange: Exchange, refusal?: GatewayError): void {
  runtime.enter(exchange)
  exchange.res.on('close', () => {
    exchange.disconnect()
    // If the client disconnects while a hook waits, onFinish has not run yet: live() leaves when the hook returns.
    if (exchange.finished) leave(runtime, exchange)
  })
  void live(runtime, exchange, refusal)
}

/** Runs an exchange to its end. If the client disconnects while a hook waits, the exchange ends after that hook. */
async function live(runtime: LifecycleHost, exchange: Exchange, refused: GatewayError | undefined): Promise<void> {
  let error = refused
  let ending: Ending | undefined
  try {
    // Down: header hooks, the body, body hooks. Stops when a plugin replies or refuses, or the client disconnects.
    if (error === undefined) {
      const pending = run(exchange.chain.request, exchange)
      if (pending !== undefined) await pending
    } else error.refusedBy = PART.router
  } catch (thrown) {
    error = toGatewayError(thrown)
  }

  // Decisions made outside the process take precedence over refusals of hooks below. They are awaited even if the
  // client has disconnected: no limit may count the request after its exchange has ended.
  const decision = exchange.gate?.decision()
  if (decision !== undefined) error = (await decision) ?? error

  if (error === undefined && !exchange.gone) {
    try {
      if (exchange.replyValue !== null) {
        ending = replyOf(exchange, exchange.replyValue)
      } else {
        // While a backend works, only the canonical request stays in memory.
        exchange.requestBody.release()
        // Dispatch, and back: backend, decoder, transformers, encoder. Resolves when the reply has ended.
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
    // For example, a plugin's refusal has a header that HTTP does not allow.
    abandon(exchange, thrown, error?.refusedBy)
  }
  if (exchange.gone) leave(runtime, exchange)
}

function leave(runtime: LifecycleHost, exchange: Exchange): void {
  exchange.admitted?.end()
  runtime.leave(exchange)
}

type BodyLimits = Pick<Config, 'body_limit_bytes' | 'audio_limit_bytes' | 'image_limit_bytes' | 'audio_held_bytes'>

/** Bytes. A longer body is read only after the gate has opened. */
const MAX_UNGATED_BYTES = 65_536

/** The steps between header hooks and body hooks: they read the body, or the start of a form. */
export function readingSteps(route: Route, limits: BodyLimits): readonly HookCall[] {
  const awaitGate: HookCall = {
    plugin: PART.body,
    call: ({ req, gate }) => (isShort(req) ? undefined : gate?.opened()),
  }
  if (route.form !== false && route.body !== null) {
    const rules = {
      types: fieldTypes(readSchema(`bodies/${route.body}`)),
      check: bodyValidator(route.body),
      limit: limits[`${route.form}_limit_bytes`],
      bufferBytes: limits.audio_held_bytes,
    }
    const read = async (exchange: Exchange) => {
      // The rest of the file is not kept in memory.
      const held = Math.min(rules.bufferBytes, Number(exchange.headers['content-length'] ?? rules.bufferBytes))
      await exchange.charge.reserve(held)
      exchange.requestBody = new FormBody(await watchUpload(exchange, () => Upload.read(exchange, rules)))
    }
    return [awaitGate, { plugin: PART.body, call: exchange => countedBody(exchange, () => read(exchange)) }]
  }
  const limitBytes = limits.body_limit_bytes
  return [
    awaitGate,
    {
      plugin: PART.body,
      async call(exchange) {
        const { slowUploads } = exchange.host.bodies
        const host = { charge: exchange.charge, slowUploads }
        // Texts are lazy on proxied routes only: plugins that reply themselves read all of them.
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
async function countedBody<T>({ admitted }: Exchange, read: () => Promise<T>): Promise<T> {
  admitted?.beginBody()
  try {
    return await read()
  } finally {
    admitted?.endBody()
  }
}

/** A body that waits for 100 (Continue) is not short: it is requested only after the gate has opened. */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= MAX_UNGATED_BYTES && headers.expect === undefined
}
