/** An OpenID Connect issuer: its discovery document, the URL to sign in at, and the claims about a person. */
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import type { IssuerConfig } from '../config/config.ts'
import { type Claims, claimOf } from './claims.ts'
import { SignInFailure } from './failure.ts'
import { failureIn, type IssuerRequest, problemOf } from './problems.ts'

/** Lifetime of a discovery document in memory. */
const DISCOVERY_MS = 3600_000
/** Pause after a failed discovery. */
const PAUSE_MS = 5000
/** Tolerance for the clocks of issuer and gateway. */
const SKEW_SECONDS = 60
/** Larger responses of an issuer are refused. */
const MAX_BYTES = 1_000_000

/** The values that the authorization response and the ID token are checked against. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  /** PKCE. */
  readonly verifier: string
  readonly redirectUri: string
}

export interface VerifiedPerson {
  readonly claims: Claims
  /** undefined: the issuer sends none. */
  readonly refreshToken: string | undefined
}

interface Issuer {
  /** The URL at which a browser signs in. Rejects with SignInFailure. */
  authorizationUrl(checks: Checks): Promise<string>
  /** The person whose callback has this query. Rejects with SignInFailure. */
  claims(query: string, checks: Checks): Promise<VerifiedPerson>
  /** The person with this `sub`, as the issuer knows the person now. Rejects with SignInFailure. */
  renewed(refreshToken: string, sub: string): Promise<VerifiedPerson>
}

/** Loaded at the first sign-in, to keep the start fast. */
type Library = typeof import('openid-client')
type Tokens = Awaited<ReturnType<Library['refreshTokenGrant']>>

/** `now`: milliseconds since the epoch. `wanted`: claims that are read from userinfo if the ID token lacks them. */
export function openIssuer(oidc: IssuerConfig, wanted: readonly string[], now: () => number): Issuer {
  const host = hostOf(oidc)
  let known: { readonly at: number; readonly metadata: ServerMetadata } | undefined
  let failed: { readonly at: number; readonly error: unknown } | undefined
  let asking: Promise<ServerMetadata> | undefined

  /** Rejects as discoverIssuer() does. Concurrent calls share one request. */
  async function metadata(): Promise<ServerMetadata> {
    if (known !== undefined && now() - known.at < DISCOVERY_MS) return known.metadata
    if (failed !== undefined && now() - failed.at < PAUSE_MS) {
      if (known !== undefined) return known.metadata
      throw failed.error
    }
    asking ??= discoverIssuer(oidc)
      .then(
        found => {
          known = { at: now(), metadata: found }
          failed = undefined
          return found
        },
        error => {
          failed = { at: now(), error }
          // The endpoints of an hour ago are most likely still correct.
          if (known !== undefined) return known.metadata
          throw error
        },
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  async function during<T>(step: IssuerRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw failureIn(step, error, host)
    }
  }

  /** Reads the claims that the ID token lacks from userinfo. */
  async function completed(
    found: ServerMetadata,
    client: Configuration,
    tokens: Tokens,
    sub: string,
  ): Promise<VerifiedPerson> {
    const library = await import('openid-client')
    const claims = { sub, ...tokens.claims() } as Claims
    const isComplete = wanted.every(name => claimOf(claims, name) !== undefined)
    const more =
      isComplete || found.userinfo_endpoint === undefined
        ? {}
        : await during('userinfo', () => library.fetchUserInfo(client, tokens.access_token, sub))
    return { claims: { ...(more as Claims), ...claims }, refreshToken: tokens.refresh_token }
  }

  return {
    async authorizationUrl({ state, nonce, verifier, redirectUri }) {
      const found = await during('discovery', metadata)
      const library = await import('openid-client')
      const url = library.buildAuthorizationUrl(clientOf(library, oidc, found), {
        ...oidc.parameters,
        scope: ['openid', ...oidc.scopes.filter(scope => scope !== 'openid')].join(' '),
        redirect_uri: redirectUri,
        response_type: 'code',
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return url.href
    },

    async claims(query, { state, nonce, verifier, redirectUri }) {
      const found = await during('discovery', metadata)
      const library = await import('openid-client')
      const client = clientOf(library, oidc, found)
      const back = new URL(`?${query}`, redirectUri)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await during('tokens', () => library.authorizationCodeGrant(client, back, checks))
      return completed(found, client, tokens, String(tokens.claims()!.sub))
    },

    async renewed(refreshToken, sub) {
      const found = await during('discovery', metadata)
      const library = await import('openid-client')
      const client = clientOf(library, oidc, found)
      const tokens = await during('tokens', () => library.refreshTokenGrant(client, refreshToken))
      if ((tokens.claims()?.sub ?? sub) !== sub)
        throw new SignInFailure('untrusted', host, 'the ID token is about another person')
      // Without both, an absent claim says nothing about the person.
      if (tokens.id_token === undefined && found.userinfo_endpoint === undefined)
        throw new SignInFailure('no_claim', host, 'claims at a refresh')
      const { refreshToken: next = refreshToken, claims } = await completed(found, client, tokens, sub)
      return { claims, refreshToken: next }
    },
  }
}

/** Host and port of the issuer, as messages name it. */
export function hostOf({ issuer }: Pick<IssuerConfig, 'issuer'>): string {
  return new URL(issuer).host
}

/** Text of the button for the issuer. */
export function labelOf(oidc: IssuerConfig): string {
  return oidc.label ?? `Sign in with ${hostOf(oidc)}`
}

/** Reads the discovery document. Rejects with an error for discoveryProblem(). */
export async function discoverIssuer(oidc: IssuerConfig): Promise<ServerMetadata> {
  const library = await import('openid-client')
  const found = await library.discovery(new URL(oidc.issuer), oidc.client_id, undefined, undefined, {
    execute: insecure(library, oidc),
    timeout: oidc.timeout_ms / 1000,
    [library.customFetch]: boundedFetch,
  })
  // Copied without the methods that the library adds, because its constructor of Configuration refuses them.
  return { ...found.serverMetadata() }
}

export function discoveryProblem(error: unknown): string {
  return problemOf('discovery', error)
}

/** Created for each sign-in, because it caches the issuer's keys, which may be withdrawn. */
function clientOf(library: Library, oidc: IssuerConfig, metadata: ServerMetadata): Configuration {
  const options = { [library.clockTolerance]: SKEW_SECONDS }
  const client = new library.Configuration(metadata, oidc.client_id, options, authOf(library, oidc, metadata))
  client.timeout = oidc.timeout_ms / 1000
  client[library.customFetch] = boundedFetch
  for (const change of insecure(library, oidc)) change(client)
  // By default, the library does not verify the signature of an ID token that it received over TLS.
  library.enableNonRepudiationChecks(client)
  return client
}

/** `client_secret_basic` is the default of the discovery specification. */
function authOf(library: Library, { client_secret: secret }: IssuerConfig, metadata: ServerMetadata): ClientAuth {
  if (secret === undefined) return library.None()
  const { token_endpoint_auth_methods_supported: methods } = metadata
  return methods?.includes('client_secret_post') ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret)
}

/** The library refuses plain HTTP by default. The configuration may ask for it by the scheme of the URL. */
function insecure(library: Library, { issuer }: IssuerConfig): ((client: Configuration) => void)[] {
  return issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
}

/** fetch() that reads the whole body. Rejects if the body is too large. */
async function boundedFetch(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init as RequestInit)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > MAX_BYTES) throw new TypeError(`it sends more than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  const { status, headers } = response
  return new Response(pieces.length === 0 ? null : Buffer.concat(pieces), { status, headers })
}
