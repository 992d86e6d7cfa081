/** Messages of the Standard Webhooks specification 1.0 (github.com/standard-webhooks). */
import { createHmac, randomBytes } from 'node:crypto'

const TIMEOUT_MS = 10_000
const USER_AGENT = 'Sluiceway'

export interface Message {
  /** Header `webhook-id`. It is the same in every attempt, so that a receiver can ignore a repetition. */
  readonly id: string
  readonly body: string
  /** Default: `application/json`. */
  readonly type?: string
}

/** Resolves when the receiver answers with 2xx, else rejects. `seconds`: time of the attempt, since the epoch. */
export async function sendWebhook(url: string, secret: string, message: Message, seconds: number): Promise<void> {
  await post(url, message.body, webhookHeaders(secret, message, seconds))
}

/** The headers of an attempt, with its signature. */
export function webhookHeaders(secret: string, message: Message, seconds: number): Readonly<Record<string, string>> {
  return {
    'user-agent': USER_AGENT,
    'content-type': message.type ?? 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(secret, message, seconds),
  }
}

/** The text of a 2xx response; else rejects. */
export async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    // A redirect would send the body to an address that the operator has not configured.
    redirect: 'manual',
    headers: { 'user-agent': USER_AGENT, ...headers },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
  return text
}

/** A secret that signs messages. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** `secret`: the key in base64, usually with the prefix `whsec_`. */
function signatureOf(secret: string, { id, body }: Message, seconds: number): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}
