import type { IncomingMessage } from 'node:http'
import { fillBody } from '../body/parse.ts'
import { readBody } from '../body/read.ts'
import { PART } from '../core/chain.ts'
import type { Step } from '../core/exchange.ts'
import type { Route } from '../routes/routes.ts'

/** A longer body is not read before the gate has opened. */
const SHORT_BODY = 65_536

export interface BodyOptions {
  readonly limitBytes: number
  /** What stands in a body for its detached texts. */
  readonly mark: string
}

/** The steps between header hooks and body hooks. */
export function readingSteps(route: Route, { limitBytes, mark }: BodyOptions): readonly Step[] {
  return [
    { plugin: PART.body, call: ({ req, gate }) => (isShort(req) ? undefined : gate.opened()) },
    {
      plugin: PART.body,
      async call(exchange) {
        // Routes that are not proxied read every text.
        const read = await readBody(exchange, limitBytes, mark, route.proxied)
        if (!exchange.gone) exchange.isHeavy = fillBody(exchange, read) === 'heavy'
      },
    },
  ]
}

/** A client that waits for 100 (Continue) does not get it before it is clear that its request is admitted. */
function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= SHORT_BODY && headers.expect === undefined
}
