/** One exchange from the first header to the last byte: the only file that knows the order of phases. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fillBody } from '../body/parse.ts'
import { readBody } from '../body/read.ts'
import { run, runPaced } from '../core/chain.ts'
import { Exchange, NO_BODY, PART } from '../core/exchange.ts'
import type { GatewayError } from '../errors/errors.ts'
import { readTarget } from '../http/protocol.ts'
import type { Runtime } from '../process/runtime.ts'
import { answerReply, finish, refuse } from './answer.ts'

/** A longer body is not read for a request that may still be refused without it. */
const SHORT_BODY = 65_536

export function handle(runtime: Runtime, req: IncomingMessage, res: ServerResponse): void {
  const { path, query, fault } = readTarget(req)
  const { match, refusal } =
    fault === undefined
      ? runtime.router.match(req.method ?? 'GET', path, req.headers)
      : runtime.router.refuse(path, req.headers, fault)
  const exchange = new Exchange(runtime.host, match, req, res, path, query)
  runtime.enter(exchange)
  res.on('close', () => {
    closed(exchange)
    runtime.leave(exchange)
  })
  void phases(runtime, exchange, refusal)
}

/** The connection closed: after a whole answer that is the end of it, before it the client has left. */
function closed(exchange: Exchange): void {
  if (exchange.finished) return
  exchange.leave()
  // A hook may still be waiting, and take something when it wakes: phases() finishes the exchange then.
  if (!exchange.busy) finish(exchange, 'client_gone')
}

async function phases(runtime: Runtime, exchange: Exchange, refusal: GatewayError | undefined): Promise<void> {
  try {
    if (refusal !== undefined) return refuse(exchange, refusal)
    const { chain, route, req } = exchange
    const early = run(chain.headers, exchange)
    if (early !== undefined) await early
    if (exchange.gone) return
    if (route.body !== null && !exchange.replied) {
      if (exchange.held && !isShort(req)) {
        await exchange.decided()
        if (exchange.gone) return
      }
      exchange.plugin = PART.body
      // Only what goes to a backend unread can travel beside the body.
      const read = await readBody(exchange, runtime.config.body_limit_bytes, runtime.mark, route.proxied)
      if (exchange.gone) return
      const load = fillBody(exchange, read)
      const late = load === 'heavy' ? runPaced(chain.body, exchange) : run(chain.body, exchange)
      if (late !== undefined) await late
      if (exchange.gone) return
      // From here on the canonical request counts, and only that is kept while a backend works.
      exchange.body = NO_BODY
    }
    if (exchange.held) {
      await exchange.decided()
      if (exchange.gone) return
    }
    if (exchange.replyValue !== null) {
      answerReply(exchange, exchange.replyValue, runtime.config.timeouts.client_idle_ms)
    } else {
      exchange.plugin = PART.backend
      await runtime.dispatcher.dispatch(exchange)
    }
  } catch (thrown) {
    const first = exchange.held ? await refusalOf(exchange, thrown) : thrown
    if (!exchange.gone) refuse(exchange, first)
  } finally {
    // Nothing may be taken after the exchange has ended.
    if (exchange.held) await refusalOf(exchange, undefined)
    exchange.busy = false
    if (exchange.gone) finish(exchange, 'client_gone')
  }
}

/** What a hook further up has refused with since; else `thrown`. */
async function refusalOf(exchange: Exchange, thrown: unknown): Promise<unknown> {
  const { plugin } = exchange
  try {
    await exchange.decided()
    exchange.plugin = plugin
    return thrown
  } catch (refusal) {
    return refusal
  }
}

/** A client that waits to be told to go on is not told before it is clear that it may. */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= SHORT_BODY && headers.expect === undefined
}
