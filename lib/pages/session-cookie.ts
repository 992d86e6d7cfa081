import type { IncomingHttpHeaders } from 'node:http'

/** The members of a request from which isSecure() finds out whether the browser uses TLS. */
export interface Reached {
  readonly headers: IncomingHttpHeaders
  /** The origin that the browser uses, as known from the gateway or from trusted proxies: `https://api.example.com`. */
  readonly origin?: string
}

/**
 * True if the browser uses TLS. A client that forges the header gets a cookie that its browser drops without TLS. With
 * several proxies, the first value is that of the proxy next to the browser.
 */
export function isSecure({ headers, origin }: Reached): boolean {
  if (origin?.startsWith('https:') === true) return true
  const [first] = (headers['x-forwarded-proto']?.toString() ?? '').split(',')
  return first?.trim().toLowerCase() === 'https'
}

/**
 * The `set-cookie` value of a session; an empty secret deletes the cookie. Over TLS its name begins with `__Host-`, so
 * that no other host of the domain can set it. `Lax`: browsers also send it with a navigation from another site.
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

/** The secret in the first cookie with this name. Over TLS, the cookie of plain HTTP does not count. */
export function cookieSecret(name: string, headers: IncomingHttpHeaders, secure: boolean): string | undefined {
  return cookieAt(nameOf(name, secure), headers)
}

const YEAR_S = 365 * 24 * 3600

/** The `set-cookie` value of a setting of one page, kept for a year; an empty value deletes it. */
export function cookieFor(name: string, value: string, path: string, secure: boolean): string {
  const attributes = [`Path=${path}`, `Max-Age=${value === '' ? 0 : YEAR_S}`, 'HttpOnly', 'SameSite=Strict']
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ')
}

/** The value of the first cookie with this name; undefined: there is none, or it is empty. */
export function cookieAt(name: string, { cookie }: IncomingHttpHeaders): string | undefined {
  const prefix = `${name}=`
  const pair = cookie
    ?.split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(prefix))
  const value = pair?.slice(prefix.length)
  return value === '' ? undefined : value
}

function nameOf(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}
