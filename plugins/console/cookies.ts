/** The cookie of a console session. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Config, cookieName, type OpenedSession } from '../../lib/plugin.ts'

/** Scripts cannot read the cookie, other sites cannot make a browser send it, and with `secure` it is sent over TLS only. */
export function sessionCookie(
  brand: string,
  { secret, seconds }: Pick<OpenedSession, 'secret' | 'seconds'>,
  secure: boolean,
): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])]
  return [`${cookieName(brand)}=${secret}`, ...attributes].join('; ')
}

/** Deletes the cookie in the browser. */
export function deletedCookie(brand: string, secure: boolean): string {
  return sessionCookie(brand, { secret: '', seconds: 0 }, secure)
}

/** Whether the browser reaches the gateway by TLS, its own or that of a proxy. */
export function isSecure({ listen }: Pick<Config, 'listen'>, headers: IncomingHttpHeaders): boolean {
  return listen.tls !== undefined || headers['x-forwarded-proto'] === 'https'
}

/** The secret of the session that a request carries. Of two cookies with the name the first counts. */
export function sessionSecret(brand: string, { cookie }: IncomingHttpHeaders): string | undefined {
  const prefix = `${cookieName(brand)}=`
  const pair = cookie?.split(';').find(one => one.trimStart().startsWith(prefix))
  return pair?.trim().slice(prefix.length)
}
