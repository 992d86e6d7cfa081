/**
 * Signing in by an issuer: the authorization code flow with PKCE. An encrypted and authenticated cookie contains what
 * the response is checked against, so that another process may finish the sign-in (docs/adr/0066).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IssuerConfig } from '../config/config.ts'
import type { Claims } from './claims.ts'
import { SignInFailure } from './failure.ts'
import { type Checks, hostOf, labelOf, openIssuer, type VerifiedPerson } from './issuer.ts'
import { createSealer, type Sealer } from './sealer.ts'

/** Time for a person to sign in at the issuer. */
export const SIGN_IN_SECONDS = 600

interface StartedSignIn {
  readonly location: string
  /** Value of the cookie, valid for SIGN_IN_SECONDS. */
  readonly sealed: string
}

/** Claims that the issuer has verified. */
interface VerifiedClaims {
  readonly claims: Claims
  /** Sealed text with which renew() asks for the claims again. undefined: the issuer sends no refresh token. */
  readonly renewal: string | undefined
}

interface FinishedSignIn extends VerifiedClaims {
  /** Unique for this sign-in. The store remembers it, so that a sign-in opens only one session. */
  readonly once: string
}

export interface SignIn {
  /** Host of the issuer, for messages. */
  readonly host: string
  readonly label: string
  /** `callback`: redirect URI, unless the configuration has one. Rejects with SignInFailure. */
  begin(callback: string): Promise<StartedSignIn>
  /** `query`: raw query of the callback. `sealed`: value of the cookie. Rejects with SignInFailure. */
  finish(query: string, sealed: string | undefined): Promise<FinishedSignIn>
  /** The present claims of a person who has signed in. `renewal`: the last one. Rejects with SignInFailure. */
  renew(renewal: string): Promise<VerifiedClaims>
}

export interface SignInOptions {
  /** A cookie for one audience is not valid for the other. */
  readonly audience: 'console' | 'operators'
  /** Claims that the caller reads. */
  readonly wanted: readonly string[]
  readonly clock: Clock
  /** A secret that all processes share. Used if the client has no secret or a short one. */
  readonly sharedSecret: () => string
}

/** A shorter client secret could be guessed from a cookie that it encrypts. */
const MIN_SECRET_CHARACTERS = 16
/** Longer cookies are ignored. */
const MAX_SEALED_CHARACTERS = 4096

export function createSignIn(oidc: IssuerConfig, { audience, wanted, clock, sharedSecret }: SignInOptions): SignIn {
  const host = hostOf(oidc)
  const issuer = openIssuer(oidc, wanted, () => clock.now())
  const { client_secret: secret = '' } = oidc
  let sealers: { readonly cookie: Sealer; readonly renewal: Sealer } | undefined
  /** Created at the first use, because the shared secret may have to be written. */
  const getSealers = () => {
    if (sealers !== undefined) return sealers
    const key = secret.length < MIN_SECRET_CHARACTERS ? sharedSecret() : secret
    const purpose = (what: string) => `${audience} ${what} ${oidc.client_id} ${oidc.issuer}`
    sealers = { cookie: createSealer(key, purpose('sign-in')), renewal: createSealer(key, purpose('renewal')) }
    return sealers
  }
  const withRenewal = ({ claims, refreshToken }: VerifiedPerson): VerifiedClaims => ({
    claims,
    renewal: refreshToken && getSealers().renewal.seal({ refresh_token: refreshToken, sub: claims.sub! }),
  })

  /** The checks in the cookie. Throws SignInFailure if the query belongs to another sign-in. */
  function checksOf(query: string, sealed: string | undefined): Checks {
    const isCookie = sealed !== undefined && sealed.length <= MAX_SEALED_CHARACTERS
    const kept = isCookie ? getSealers().cookie.open(sealed) : undefined
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
      return { location, sealed: getSealers().cookie.seal({ ...checks, at: clock.now() }) }
    },
    async finish(query, sealed) {
      const checks = checksOf(query, sealed)
      return { ...withRenewal(await issuer.claims(query, checks)), once: checks.state }
    },
    async renew(renewal) {
      const kept = getSealers().renewal.open(renewal)
      if (kept === undefined) throw new SignInFailure('used', host)
      return withRenewal(await issuer.renewed(String(kept.refresh_token), String(kept.sub)))
    },
  }
}

/** 256 bits in 43 characters, the minimum length of a PKCE verifier (RFC 7636, section 4.1). */
function random(): string {
  return randomBytes(32).toString('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
