/** A receiver of webhooks, which verifies signatures as in the Standard Webhooks specification. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../lib/base/json.ts'

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwTTTTTTTTTTT='

export interface Delivery {
  readonly id: string
  readonly signature: string
  /** The signature is that of the receiver's secret, and the time is close to now. */
  readonly isSigned: boolean
  readonly body: JsonObject & { readonly type: string; readonly data: JsonObject }
}

export interface Receiver {
  readonly url: string
  /** All deliveries, including refused ones. */
  readonly deliveries: readonly Delivery[]
  /** Default: SECRET. */
  secret: string
  /** Statuses of the next responses, then 204. */
  readonly answers: number[]
  /** Responses wait for this promise; undefined: none. */
  held: (delivery: Delivery) => Promise<void> | undefined
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const answers: number[] = []
  const server = http.createServer(async (req, res) => {
    let body = ''
    for await (const piece of req.setEncoding('utf8')) body += piece
    const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = req.headers
    // The signed text is id, time and raw body, joined by full stops. The key is the base64 after `whsec_`.
    const key = Buffer.from(receiver.secret.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest()
    const isFresh = Math.abs(Date.now() / 1000 - Number(seconds)) < 300
    const isSigned = String(signatures)
      .split(' ')
      .map(one => one.split(','))
      .some(([version, value = '']) => {
        const given = Buffer.from(value, 'base64')
        return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
      })
    const signature = String(signatures)
    const delivery = { id: String(id), signature, isSigned: isSigned && isFresh, body: JSON.parse(body) }
    deliveries.push(delivery)
    await receiver.held(delivery)
    res.writeHead(answers.shift() ?? 204)
    res.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    secret: SECRET,
    answers,
    held: () => undefined,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
