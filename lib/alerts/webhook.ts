/** One message of a webhook, signed as the Standard Webhooks specification 1.0 says (github.com/standard-webhooks). */
import { createHmac } from 'node:crypto'

export interface Message {
  /** Header `webhook-id`: the same in every attempt, so that a receiver can tell a repetition. */
  readonly id: string
  /** JSON */
  readonly body: string
}

/** How long a receiver may take. */
const TIMEOUT_MS = 10_000

/** `secret`: the base64 of the key, usually behind `whsec_`. `seconds`: the time of the attempt, since the epoch. */
export function signatureOf(secret: string, { id, body }: Message, seconds: number): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

/** Resolves when the receiver has taken it: a status of 2xx. Rejects with why it has not. */
export async function sendMessage(url: string, secret: string, message: Message, seconds: number): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    // A redirect would send the alert to an address that the operator has not configured.
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Sluiceway',
      'webhook-id': message.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secret, message, seconds),
    },
    body: message.body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}
