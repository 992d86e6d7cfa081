/**
 * Signing in by an issuer: the authorization code flow with PKCE. An encrypted and authenticated cookie contains what
 * the response is checked against, so that another process may finish the sign-in (docs/adr/0066).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { isObject, type JsonObject, parseJson } from '../base/json.ts'
import type { IssuerConfig } from '../config/config.ts'
import type { Claims } from './claims.ts'
import { SignInFailure } from './failure.ts'
import { type Checks, hostOf, labelOf, openIssuer } from './issuer.ts'

/** Time for a person to sign in at the issuer. */
export const SIGN_IN_SECONDS = 600

interface StartedSignIn {
  readonly location: string
  /** Value of the cookie, valid for SIGN_IN_SECONDS. */
  readonly sealed: string
}

interface FinishedSignIn {
  /** Verified by the issuer. */
  readonly claims: Claims
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

export function createSignIn(oidc: IssuerConfig, { audience, wanted, clock, sharedSecret }: SignInOptions): SignIn {
  const host = hostOf(oidc)
  const issuer = openIssuer(oidc, wanted, () => clock.now())
  let sealer: Sealer | undefined
  const { client_secret: secret = '' } = oidc
  const getSealer = () => {
    sealer ??= createSealer(
      secret.length < MIN_SECRET_CHARACTERS ? sharedSecret() : secret,
      `${audience} sign-in ${oidc.client_id} ${oidc.issuer}`,
    )
    return sealer
  }

  /** The checks in the cookie. Throws SignInFailure if the query belongs to another sign-in. */
  function checksOf(query: string, sealed: string | undefined): Checks {
    const kept = sealed === undefined ? undefined : getSealer().open(sealed)
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
      return { location, sealed: getSealer().seal({ ...checks, at: clock.now() }) }
    },
    async finish(query, sealed) {
      const checks = checksOf(query, sealed)
      return { claims: await issuer.claims(query, checks), once: checks.state }
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

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Longer cookies are ignored. */
const MAX_SEALED_CHARACTERS = 4096

/** Encrypts and authenticates values. */
interface Sealer {
  seal(value: JsonObject): string
  /** undefined: the text was not sealed with this secret and for this purpose. */
  open(text: string): JsonObject | undefined
}

function createSealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `sluiceway ${purpose}`, 32))
  return {
    seal(value) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text.length > MAX_SEALED_CHARACTERS ? '' : text, 'base64url')
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
        const value = parseJson(opened.toString('utf8'))
        return isObject(value) ? value : undefined
      } catch {
        return undefined
      }
    },
  }
}
