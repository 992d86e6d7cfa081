import type { IncomingMessage } from 'node:http'
import type { GatewayError } from '../errors/errors.ts'

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')

/** Ends a body that the HTTP parser cannot continue: Node reports that to the server only, not on the request. */
export function breakBody(req: IncomingMessage, error: GatewayError): void {
  errors.set(req, error)
  req.emit(BROKEN)
}

/** Why the body cannot be read to its end; undefined as long as it can. */
export function brokenBodyError(req: IncomingMessage): GatewayError | undefined {
  return errors.get(req)
}

/** Calls `then` when the body breaks; returns a function that removes the listener. */
export function onBodyBroken(req: IncomingMessage, then: () => void): () => void {
  req.once(BROKEN, then)
  return () => req.off(BROKEN, then)
}
