/**
 * Signing in by an issuer, from the button to what is known of the person: the authorization code flow with PKCE. The browser keeps what the
 * answer is checked against, sealed, so that it may come back to another process.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IssuerConfig } from '../config/config.ts'
import type { Claims } from './claims.ts'
import { SignInFailure } from './failure.ts'
import { type Checks, hostOf, labelOf, openIssuer } from './issuer.ts'
import { type Sealer, sealer } from './sealed.ts'

/** Time for a person to sign in at the issuer. */
export const SIGN_IN_SECONDS = 600

export interface Begun {
  /** URL at the issuer. */
  readonly location: string
  /** What the browser brings back, for SIGN_IN_SECONDS: a value for a cookie. */
  readonly sealed: string
}

/** A person whom the issuer vouches for. */
export interface Proven {
  readonly claims: Claims
  /** Of this sign-in alone: who opens sessions remembers it, so that it opens one only. */
  readonly once: string
}

export interface SignIn {
  /** Of the issuer, for messages. */
  readonly host: string
  /** Text of the button. */
  readonly label: string
  /** `callback`: URL that the browser comes back to, where the configuration has none. Rejects with SignInFailure. */
  begin(callback: string): Promise<Begun>
  /** `query`: that of the callback, as it is in the URL. Rejects with SignInFailure. */
  finish(query: string, sealed: string | undefined): Promise<Proven>
}

export interface SignInOptions {
  /** What is sealed for one audience is nothing for the other. */
  readonly audience: 'console' | 'operators'
  /** Claims that the caller reads. */
  readonly wanted: readonly string[]
  readonly clock: Clock
  /** A secret that all processes share; asked for where the client has none, or a short one. */
  readonly sharedSecret: () => string
}

/** Letters of a client's secret below which it could be guessed from what it seals. */
const LEAST_SECRET = 16

export function createSignIn(oidc: IssuerConfig, { audience, wanted, clock, sharedSecret }: SignInOptions): SignIn {
  const host = hostOf(oidc)
  const issuer = openIssuer(oidc, wanted, () => clock.now())
  let made: Sealer | undefined
  const { client_secret: secret = '' } = oidc
  const seals = () => {
    made ??= sealer(
      secret.length < LEAST_SECRET ? sharedSecret() : secret,
      `${audience} sign-in ${oidc.client_id} ${oidc.issuer}`,
    )
    return made
  }

  /** The checks of the sign-in that this answer belongs to. */
  function checksOf(query: string, sealed: string | undefined): Checks {
    const kept = sealed === undefined ? undefined : seals().open(sealed)
    const states = new URLSearchParams(query).getAll('state')
    if (kept === undefined || states.length !== 1 || !isSame(states[0]!, String(kept.state)))
      throw new SignInFailure('not_begun', host)
    if (clock.now() - Number(kept.at) > SIGN_IN_SECONDS * 1000) throw new SignInFailure('not_begun', host)
    const { state, nonce, verifier, redirectUri } = kept
    return { state: String(state), nonce: String(nonce), verifier: String(verifier), redirectUri: String(redirectUri) }
  }

  return {
    host,
    label: labelOf(oidc),
    async begin(callback) {
      const redirectUri = oidc.redirect_uri ?? callback
      const checks = { state: random(), nonce: random(), verifier: random(), redirectUri }
      const location = await issuer.authorizationUrl(checks)
      return { location, sealed: seals().seal({ ...checks, at: clock.now() }) }
    },
    async finish(query, sealed) {
      const checks = checksOf(query, sealed)
      return { claims: await issuer.claims(query, checks), once: checks.state }
    },
  }
}

/** 256 bits, in the 43 characters that are the fewest for a verifier. */
function random(): string {
  return randomBytes(32).toString('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
