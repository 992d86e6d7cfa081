import type { IncomingMessage } from 'node:http'
import { readBody, requestBody } from '../body/index.ts'
import { PART } from '../core/chain.ts'
import type { Step } from '../core/exchange.ts'
import type { Route } from '../routes/routes.ts'

/** A longer body is not read before the gate has opened. */
const SHORT_BODY = 65_536

/** The steps between header hooks and body hooks. Bodies above `limitBytes` are refused. */
export function readingSteps(route: Route, limitBytes: number): readonly Step[] {
  return [
    { plugin: PART.body, call: ({ req, gate }) => (isShort(req) ? undefined : gate.opened()) },
    {
      plugin: PART.body,
      async call(exchange) {
        // Routes that are not proxied read every text: keeping them as bytes would save nothing.
        const read = await readBody(exchange, limitBytes, route.proxied)
        if (exchange.gone) return
        exchange.bodyBytes = read.size
        exchange.requestBody = requestBody(read)
        exchange.isHeavy = exchange.requestBody.isHeavy
      },
    },
  ]
}

/** A client that waits for 100 (Continue) does not get it before it is clear that its request is admitted. */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= SHORT_BODY && headers.expect === undefined
}
