/** The cookie of a session. */
import type { IncomingHttpHeaders } from 'node:http'

/** What of a request says how its browser has reached the gateway. */
export interface Reached {
  readonly headers: IncomingHttpHeaders
  /** As far as the gateway knows it by itself or from proxies that it trusts: `https://api.example.com`. */
  readonly origin?: string
}

/**
 * Over TLS. Any proxy is believed: who invents the header gets a cookie that a browser without TLS drops. Of several proxies, the
 * first has spoken to the browser.
 */
export function isSecure({ headers, origin }: Reached): boolean {
  if (origin?.startsWith('https:') === true) return true
  const [first] = (headers['x-forwarded-proto']?.toString() ?? '').split(',')
  return first?.trim().toLowerCase() === 'https'
}

/**
 * Scripts cannot read it, and other sites cannot make a browser send it. Over TLS its name begins with `__Host-`: browsers then take
 * it from this very host and over TLS alone, so that no neighbour below the same domain can set another one in its place. An empty
 * secret deletes it. `Lax`: for one that must come along where another site leads the browser here.
 */
export function sessionCookie(
  name: string,
  secret: string,
  seconds: number,
  secure: boolean,
  sameSite: 'Lax' | 'Strict' = 'Strict',
): string {
  const attributes = ['Path=/', `Max-Age=${secret === '' ? 0 : seconds}`, 'HttpOnly', `SameSite=${sameSite}`]
  return [`${nameOf(name, secure)}=${secret}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ')
}

/** The secret in the cookie with this name. Of two the first counts. Over TLS the cookie of plain HTTP does not. */
export function cookieSecret(name: string, { cookie }: IncomingHttpHeaders, secure: boolean): string | undefined {
  const prefix = `${nameOf(name, secure)}=`
  const pair = cookie
    ?.split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(prefix))
  const secret = pair?.slice(prefix.length)
  return secret === '' ? undefined : secret
}

function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}
