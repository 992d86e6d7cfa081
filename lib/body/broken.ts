/** Ends of a body that Node does not report on the request itself. */
import type { IncomingMessage } from 'node:http'
import type { GatewayError } from '../errors/errors.ts'

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')
const ABANDONED = Symbol('abandoned')

/** Ends a body that the HTTP parser cannot continue: Node reports that to the server only. */
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

/** The rest of this body is read and dropped from now on; its reader stops. */
export function abandonBody(req: IncomingMessage): void {
  req.emit(ABANDONED)
}

/** Calls `then` when the rest of the body is no longer needed; returns a function that removes the listener. */
export function onBodyAbandoned(req: IncomingMessage, then: () => void): () => void {
  req.once(ABANDONED, then)
  return () => req.off(ABANDONED, then)
}
