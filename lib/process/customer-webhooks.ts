import { webhookHeaders } from '../base/webhook.ts'
import type { Config } from '../config/config.ts'
import type { CustomerWebhooks } from '../customer-alerts/own-alerts.ts'
import { AddressGuard } from '../transport/public-http/addresses.ts'
import type { Resolve } from '../transport/public-http/dns.ts'
import { PublicHttp, publicUrl, UrlRefused } from '../transport/public-http/request.ts'

/** Time of one attempt, with the resolution of the name. */
const TIMEOUT_MS = 5000

/** In words for a customer. A name of the internal network is as unknown as one that does not exist. */
const REFUSALS: Readonly<Record<UrlRefused['reason'], string>> = {
  'no URL': 'This is no URL, such as https://example.com/alerts.',
  'the URL is too long': 'The URL is too long.',
  'the scheme is not http or https': 'The URL must begin with https:// or http://.',
  'the URL has credentials': 'The URL must not contain a user name or password: verify the signature instead.',
  'the host has no address': 'The host of the URL has no public address.',
  'the address is not public': 'The host of the URL has no public address.',
}

interface Options {
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

/** Sends to the addresses that images may be fetched from. */
export function customerWebhooks(
  { image_fetch: { allow, proxy } }: Pick<Config, 'image_fetch'>,
  { resolve, timeoutMs = TIMEOUT_MS }: Options = {},
): CustomerWebhooks {
  const http = new PublicHttp(new AddressGuard(allow), resolve, proxy)
  return {
    async problemOf(text) {
      try {
        await http.addressOf(publicUrl(text), AbortSignal.timeout(timeoutMs))
        return null
      } catch (thrown) {
        return problemOf(thrown, timeoutMs)
      }
    },

    async send(text, secret, message, seconds) {
      const headers = webhookHeaders(secret, message, seconds)
      const request = { method: 'POST', headers, body: message.body } as const
      let status: number
      try {
        const response = await http.request(publicUrl(text), request, AbortSignal.timeout(timeoutMs))
        response.destroy()
        status = response.statusCode!
      } catch (thrown) {
        throw new Error(problemOf(thrown, timeoutMs), { cause: thrown })
      }
      if (status >= 300 && status < 400)
        throw new Error(`The answer was a redirect (${status}), which is not followed.`)
      if (status < 200 || status >= 300) throw new Error(`The answer had status ${status} instead of 2xx.`)
    },
  }
}

function problemOf(thrown: unknown, timeoutMs: number): string {
  if (thrown instanceof UrlRefused) return REFUSALS[thrown.reason]
  const { name, code } = thrown as { readonly name?: unknown; readonly code?: unknown }
  if (name === 'AbortError' || name === 'TimeoutError') return `There was no answer within ${timeoutMs / 1000} s.`
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (typeof code === 'string' && /CERT|TLS|SSL|VERIFY/.test(code)) return `The TLS certificate is not valid (${code}).`
  return `The connection failed (${typeof code === 'string' ? code : 'unknown'}).`
}
