/** An OpenID Connect issuer: what it says of itself, the way to it, and what it says of a person. openid-client speaks and verifies. */
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import type { IssuerConfig } from '../config/config.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type Claims, claimOf } from './claims.ts'
import { failureIn, type IssuerRequest, problemOf } from './problems.ts'

/** Endpoints move rarely. */
const DISCOVERY_MS = 3600_000
/** So long an issuer that did not answer is not asked again. */
const PAUSE_MS = 5000
/** How far the clocks of issuer and gateway may differ. */
const SKEW_SECONDS = 60

/** What a sign-in is checked against when the browser comes back. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  /** PKCE. */
  readonly verifier: string
  readonly redirectUri: string
}

export interface Issuer {
  /** Where a browser signs in. Rejects with SignInFailure. */
  authorizationUrl(checks: Checks): Promise<string>
  /** What the issuer says of the person who comes back with this query. Rejects with SignInFailure. */
  claims(query: string, checks: Checks): Promise<Claims>
}

/** Loaded at the first sign-in alone. */
type Library = typeof import('openid-client')

/** `now`: milliseconds since the epoch. `wanted`: claims that are read from userinfo where the ID token lacks them. */
export function openIssuer(oidc: IssuerConfig, wanted: readonly string[], now: () => number): Issuer {
  const host = hostOf(oidc)
  let known: { readonly at: number; readonly metadata: ServerMetadata } | undefined
  let failed: { readonly at: number; readonly error: unknown } | undefined
  let asking: Promise<ServerMetadata> | undefined

  /** Rejects as discoverIssuer() does. All who wait share one request. */
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
          // Endpoints of an hour ago most likely still are where they were.
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
      const claims = { ...tokens.claims()! } as Claims
      if (found.userinfo_endpoint === undefined || wanted.every(name => claimOf(claims, name) !== undefined))
        return claims
      const more = await during('userinfo', () =>
        library.fetchUserInfo(client, tokens.access_token, String(claims.sub)),
      )
      return { ...(more as Claims), ...claims }
    },
  }
}

/** Host and port of the issuer, by which people know it. */
export function hostOf({ issuer }: Pick<IssuerConfig, 'issuer'>): string {
  return new URL(issuer).host
}

/** Text of the button that leads to the issuer. */
export function labelOf(oidc: IssuerConfig): string {
  return oidc.label ?? `Sign in with ${hostOf(oidc)}`
}

/** What the issuer says of itself. Rejects with an error that problemOf() puts into words. */
export async function discoverIssuer(oidc: IssuerConfig): Promise<ServerMetadata> {
  const library = await import('openid-client')
  const found = await library.discovery(new URL(oidc.issuer), oidc.client_id, undefined, undefined, {
    execute: insecure(library, oidc),
    timeout: oidc.timeout_ms / 1000,
    [library.customFetch]: fetchOf(),
  })
  // Without the helpers of the library, functions that its own configuration does not take.
  return { ...found.serverMetadata() }
}

/** The problem of an issuer that cannot be discovered, in words. */
export function discoveryProblem(error: unknown): string {
  return problemOf('discovery', error)
}

/**
 * Made for each sign-in: it keeps the issuer's keys, and these are read anew each time. A key that was withdrawn is not believed any
 * more, and one that is new is known at once.
 */
function clientOf(library: Library, oidc: IssuerConfig, metadata: ServerMetadata): Configuration {
  const options = { [library.clockTolerance]: SKEW_SECONDS }
  const client = new library.Configuration(metadata, oidc.client_id, options, authOf(library, oidc, metadata))
  client.timeout = oidc.timeout_ms / 1000
  client[library.customFetch] = fetchOf()
  for (const change of insecure(library, oidc)) change(client)
  // Without this, the signature of an ID token that comes over TLS would not be checked.
  library.enableNonRepudiationChecks(client)
  return client
}

/** `client_secret_basic` is what an issuer supports that says nothing. */
function authOf(library: Library, { client_secret: secret }: IssuerConfig, metadata: ServerMetadata): ClientAuth {
  if (secret === undefined) return library.None()
  const { token_endpoint_auth_methods_supported: methods } = metadata
  return methods?.includes('client_secret_post') ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret)
}

/** The library refuses plain HTTP, unless the configuration says it. */
function insecure(library: Library, { issuer }: IssuerConfig): ((client: Configuration) => void)[] {
  return issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
}

function fetchOf() {
  return (url: string, init: object) => boundedFetch(url, init as RequestInit)
}
