/** Sessions of the console, as routes use them: opened by a one-time link, carried by a cookie. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { Ask } from './ask.ts'
import { closeSession, openSession, sessionUserOf } from './sessions.ts'

/** All reject with 503 internal_error where the store does not answer. */
export interface Sessions {
  /** Uses a one-time link up; undefined: it was used, has expired, or never was. */
  open(link: string): Promise<OpenedSession | undefined>
  /** Whose session the secret is of; undefined: nobody's, or it has expired. */
  userOf(secret: string): Promise<string | undefined>
  /** Ends a session; one that is over, or never was, is fine. */
  close(secret: string): Promise<void>
}

export interface OpenedSession {
  readonly secret: string
  readonly user: string
  /** How long it lasts. */
  readonly seconds: number
}

export function storeSessions(ask: Ask, clock: Clock): Sessions {
  const now = () => clock.now() * 1000
  return {
    open: link => ask(store => openSession(store, link, now())),
    userOf: secret => ask(store => sessionUserOf(store, secret, now())),
    close: secret => ask(store => closeSession(store, secret)),
  }
}

/** Where the one-time link leads, and the name of the query parameter that holds its secret. */
export const LOGIN_PATH = '/console/login'
export const LOGIN_PARAMETER = 'token'

/** The name of the session's cookie: each brand has its own. */
export function cookieName(brand: string): string {
  return `${brand}_session`
}

/** Scripts cannot read the cookie, other sites cannot make a browser send it, and with `secure` it is sent over TLS only. */
export function sessionCookie(
  brand: string,
  { secret, seconds }: Pick<OpenedSession, 'secret' | 'seconds'>,
  secure: boolean,
): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])]
  return [`${cookieName(brand)}=${secret}`, ...attributes].join('; ')
}

/** Takes the cookie away from the browser. */
export function endedCookie(brand: string, secure: boolean): string {
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
