import type { IncomingMessage } from 'node:http'

const ABANDONED = Symbol('abandoned')

/** The rest of this body is read and dropped from now on; its reader stops. */
export function abandonBody(req: IncomingMessage): void {
  req.emit(ABANDONED)
}

/** Calls `then` when the rest of the body is not wanted any more; returns a function that removes the listener. */
export function onBodyAbandoned(req: IncomingMessage, then: () => void): () => void {
  req.once(ABANDONED, then)
  return () => req.off(ABANDONED, then)
}
