import type { IncomingMessage, RequestListener } from 'node:http'
import { requestTurns } from '../base/turns.ts'

/** What a small request takes of the event loop in the ticks after it has begun, in ms. */
const REQUEST_MS = 0.25

/**
 * Begins requests that come together a few in each tick, going round those who ask: the system may deliver those of a thousand connections in
 * one (docs/adr/0091-requests-begin-in-turn.md). None begins after its client has disconnected.
 */
export function inTurns(begin: RequestListener): RequestListener {
  return (req, res) =>
    requestTurns.run(() => {
      if (req.socket.destroyed) return
      requestTurns.add(REQUEST_MS)
      begin(req, res)
    }, credentialsOf(req))
}

/** Whose request it is, as far as can be said before its key is known. */
function credentialsOf({ headers }: IncomingMessage): string {
  const key = headers['x-api-key']
  return headers.authorization ?? (typeof key === 'string' ? key : '')
}
