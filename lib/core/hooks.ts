import { Readable } from 'node:stream'
import { nextTurn } from '../base/long-work.ts'
import { link, type Sink } from '../canonical/reply.ts'
import { type GatewayError, toGatewayError } from '../errors/errors.ts'
import type { Exchange, HookCall } from './exchange.ts'
import type { Outcome } from './plugin.ts'
import { chat, key } from './slots.ts'
import { choicesOf } from './text-parts.ts'
import type { AttemptFacts, UpstreamWork } from './upstream.ts'

/**
 * Calls request hooks until one has replied or the client has disconnected; synchronously, unless a hook waits.
 * Throws the GatewayError of the hook that refuses, with the name of its plugin.
 */
export function run(steps: readonly HookCall[], exchange: Exchange): void | Promise<void> {
  for (let i = 0; i < steps.length; i++) {
    const pending = call(steps[i]!, exchange)
    if (pending !== undefined) return runAfter(pending, steps, i, exchange)
    if (exchange.ended) return
  }
}

/** Continues run() after a hook that returned a promise. Other exchanges run between the hooks of a heavy one. */
async function runAfter(
  pending: Promise<void>,
  steps: readonly HookCall[],
  at: number,
  exchange: Exchange,
): Promise<void> {
  let step = steps[at]!
  let result: Promise<void> | void = pending
  for (let i = at + 1; ; i++) {
    try {
      if (result !== undefined) await result
    } catch (thrown) {
      throw toGatewayError(thrown, step.plugin)
    } finally {
      exchange.gate?.attribute(step.plugin)
    }
    if (exchange.isHeavy) await nextTurn()
    if (exchange.ended || i === steps.length) return
    step = steps[i]!
    result = call(step, exchange)
  }
}

function call(step: HookCall, exchange: Exchange): void | Promise<void> {
  try {
    return step.call(exchange)
  } catch (thrown) {
    throw toGatewayError(thrown, step.plugin)
  } finally {
    exchange.gate?.attribute(step.plugin)
  }
}

/** The step after the plugin that provides the key: limits the requests in flight of one key and one account. */
export function admit(exchange: Exchange): void {
  const caller = exchange.find(key)
  if (caller !== undefined && exchange.admitted === null) exchange.admitted = exchange.host.admission.enter(caller)
}

/** Records the start of an attempt and calls onAttempt, top to bottom. `work`: the attempt, to cancel it. */
export function beginAttempt(exchange: Exchange, facts: AttemptFacts, work: UpstreamWork): void {
  exchange.upstream.begin(work, facts, exchange.trace, exchange.host.clock.monotonic())
  callAll(exchange, exchange.chain.attempt)
}

/** Calls `transform`, bottom to top, and returns the first of the linked sinks. Throws the GatewayError of a hook. */
export function linkTransformers(exchange: Exchange, last: Sink): Sink {
  const { transform, owners } = exchange.chain
  const transformers = transform.flatMap(hook => {
    try {
      return hook(exchange as never) ?? []
    } catch (thrown) {
      throw toGatewayError(thrown, owners.get(hook))
    }
  })
  exchange.source = 'backend'
  return link(transformers, last, {
    choices() {
      const request = exchange.find(chat)
      return request === undefined ? 0 : choicesOf(request)
    },
    onStop(reason) {
      exchange.stopReason = reason
    },
  })
}

/** Calls onSend, bottom to top, and writes the head: headers that plugins have set, then `own` of the response. */
export function writeHead(exchange: Exchange, status: number, own: readonly string[]): void {
  exchange.status = status
  callAll(exchange, exchange.chain.send)
  const headers = exchange.responseHeaders
  for (const value of own) headers.push(value)
  exchange.res.writeHead(status, headers)
}

/** nginx's status for a client that has disconnected. Only in records and metrics. */
const CLIENT_CLOSED_REQUEST = 499

/** Ends the exchange: releases what the core holds for it and calls onFinish, bottom to top. */
export function finish(exchange: Exchange, outcome: Outcome, error?: GatewayError): void {
  exchange.finished = true
  exchange.finishedMono = exchange.host.clock.monotonic()
  exchange.outcome = outcome
  exchange.error = error
  if (outcome === 'client_gone') exchange.status = CLIENT_CLOSED_REQUEST
  exchange.upstream.modelLease?.release()
  exchange.bodyCharge?.release()
  callAll(exchange, exchange.chain.finish)
}

/** Calls every hook, also after one that throws: the other plugins must still release what they hold. */
function callAll(exchange: Exchange, hooks: readonly ((exchange: never) => void)[]): void {
  for (const hook of hooks) {
    try {
      hook(exchange as never)
    } catch (thrown) {
      exchange.host.fault(exchange, thrown, exchange.chain.owners.get(hook))
    }
  }
}

/** How an exchange ends: its outcome, and the rest of its response. */
export interface Ending {
  readonly outcome: Outcome
  /** The refusal or failure; undefined: none. */
  readonly error: GatewayError | undefined
  /** True: sendLast() sends the stream that a plugin has replied with. */
  readonly sendsStream?: boolean
  sendHead(): void
  /** Sends the last bytes and ends the response. */
  sendLast(): void
}

/** Ends the exchange. Records are written and leases released before the client receives the last byte. */
export function respond(exchange: Exchange, ending: Ending): void {
  if (!ending.sendsStream) destroyReplyStream(exchange)
  ending.sendHead()
  finish(exchange, ending.outcome, ending.error)
  ending.sendLast()
}

/** Destroys a plugin's stream that is not sent. Otherwise it would never release its file or connection. */
export function destroyReplyStream({ replyValue }: Exchange): void {
  if (replyValue?.body instanceof Readable) replyValue.body.on('error', () => {}).destroy()
}
