/**
 * A small OpenID Connect issuer on a free port, with real keys. It checks client, redirect URI and PKCE, and redeems a
 * code once. `next` changes its behaviour.
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../lib/base/json.ts'
import type { ConsoleOidcConfig } from '../../lib/config/config.ts'

export const CLIENT_ID = 'sluiceway'
export const CLIENT_SECRET = 'client-secret-of-the-gateway'

export type Algorithm = 'RS256' | 'ES256'

/** Behaviour for later requests. An absent member: as specified. */
export interface Behaviour {
  /** Claims that replace those of alice. null: the claim is absent. */
  claims?: JsonObject
  /** Claims that only userinfo has. */
  userinfo?: JsonObject
  /** Members of the ID token's header. */
  header?: JsonObject
  /** Signed by a key that is not published. */
  foreignKey?: boolean
  /** No signature at all. */
  unsigned?: boolean
  /** Replace parameters of the authorization response: `{ error: 'access_denied', code: null }`. */
  response?: Readonly<Record<string, string | null>>
  /** Replace members of the discovery document. */
  metadata?: JsonObject
  /** Paths whose requests are answered with 500. */
  broken?: string
  /** Paths whose requests are never answered. */
  silent?: string
  /** The token endpoint sends refresh tokens, each of which is redeemed once. */
  refresh?: boolean
  /** Body of the token response in place of tokens, with 400. */
  tokenError?: JsonObject
}

export interface TestIssuer {
  readonly url: string
  next: Behaviour
  /** Path and query of every request. */
  readonly asked: readonly string[]
  /** Every ID and access token, and every code. */
  readonly secrets: readonly string[]
  /** Creates keys of this kind with a new id. The old keys are no longer published. */
  rotate(algorithm?: Algorithm): void
  close(): Promise<void>
}

interface SigningKey {
  readonly id: string
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

interface Grant {
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string
}

/** `page`: shows a page with a button that leads back. Otherwise redirects back at once. */
export async function startIssuer(algorithm: Algorithm = 'RS256', page = false): Promise<TestIssuer> {
  let signing = newKey(algorithm)
  const foreign = { ...newKey(algorithm), id: signing.id }
  const asked: string[] = []
  const secrets: string[] = []
  const grants = new Map<string, Grant>()
  const bearers = new Map<string, JsonObject>()
  const refreshTokens = new Set<string>()
  const server = createServer((req, res) => {
    const url = new URL(req.url!, issuer.url)
    asked.push(`${url.pathname}${url.search}`)
    const { silent, broken } = issuer.next
    if (silent !== undefined && url.pathname.startsWith(silent)) return
    if (broken !== undefined && url.pathname.startsWith(broken)) return json(res, 500, { error: 'server_error' })
    if (url.pathname === '/.well-known/openid-configuration') return json(res, 200, metadata())
    if (url.pathname === '/jwks') return json(res, 200, { keys: [jwkOf(signing)] })
    if (url.pathname === '/authorize') return authorize(url, res)
    if (url.pathname === '/userinfo') return json(res, 200, bearers.get(req.headers.authorization ?? '') ?? {})
    if (url.pathname === '/token') return void token(req, res)
    json(res, 404, {})
  })

  const metadata = () => ({
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/jwks`,
    userinfo_endpoint: `${issuer.url}/userinfo`,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    ...issuer.next.metadata,
  })

  function authorize({ searchParams: query }: URL, res: ServerResponse): void {
    const isKnown = query.get('client_id') === CLIENT_ID && query.get('response_type') === 'code'
    const isBound = query.get('code_challenge_method') === 'S256' && (query.get('code_challenge') ?? '') !== ''
    const redirectUri = query.get('redirect_uri') ?? ''
    if (!isKnown || !isBound || !/^https?:\/\/[^/]+\/(console\/login|sign-in)\/oidc\/callback$/.test(redirectUri))
      return json(res, 400, { error: 'invalid_request' })
    const code = randomBytes(16).toString('hex')
    secrets.push(code)
    grants.set(code, { redirectUri, challenge: query.get('code_challenge')!, nonce: query.get('nonce') ?? '' })
    const back = new URL(redirectUri)
    const answer = { code, state: query.get('state') ?? '', iss: issuer.url, ...issuer.next.response }
    for (const [name, value] of Object.entries(answer)) if (value !== null) back.searchParams.set(name, value)
    if (!page) return void res.writeHead(302, { location: back.href }).end()
    const fields = [...back.searchParams].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(
      `<title>Issuer</title><form action="${redirectUri}">${fields.join('')}<button>Sign in as Alice</button></form>`,
    )
  }

  async function token(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await req.toArray()).join(''))
    const { tokenError } = issuer.next
    if (tokenError !== undefined) return json(res, 400, tokenError)
    if (!isClient(req, form)) return json(res, 401, { error: 'invalid_client' })
    if (form.get('grant_type') === 'refresh_token') {
      const isValid = refreshTokens.delete(form.get('refresh_token') ?? '')
      return isValid ? sendTokens(res, claimsFor()) : json(res, 400, { error: 'invalid_grant' })
    }
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant === undefined || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return json(res, 400, { error: 'invalid_grant' })
    sendTokens(res, claimsFor(grant.nonce))
  }

  function sendTokens(res: ServerResponse, claims: JsonObject): void {
    const access = randomBytes(16).toString('hex')
    const refresh = randomBytes(16).toString('hex')
    bearers.set(`Bearer ${access}`, { sub: claims.sub!, ...issuer.next.userinfo })
    const id = idToken(claims)
    secrets.push(access, id, refresh)
    const tokens = { access_token: access, token_type: 'Bearer', expires_in: 60, id_token: id }
    if (issuer.next.refresh !== true) return json(res, 200, tokens)
    refreshTokens.add(refresh)
    json(res, 200, { ...tokens, refresh_token: refresh })
  }

  function claimsFor(nonce: string | null = null): JsonObject {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer.url, aud: CLIENT_ID, sub: 'alice-at-issuer', iat: now, exp: now + 60, nonce }
    const all = { ...usual, email: 'alice@test', email_verified: true, ...issuer.next.claims }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  }

  function idToken(claims: JsonObject): string {
    const { foreignKey = false, unsigned = false, header: more } = issuer.next
    const { id, algorithm: alg, key } = foreignKey ? foreign : signing
    const header = { alg: unsigned ? 'none' : alg, kid: id, typ: 'JWT', ...more }
    const text = `${encoded(header)}.${encoded(claims)}`
    return unsigned ? `${text}.` : `${text}.${sign('sha256', Buffer.from(text), signingKey(key)).toString('base64url')}`
  }

  const issuer: TestIssuer = {
    url: '',
    next: {},
    asked,
    secrets,
    rotate(kind = signing.algorithm) {
      signing = newKey(kind)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(issuer, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** The member `oidc` of a configuration, with its defaults. */
export function oidcOf({ url }: Pick<TestIssuer, 'url'>, more: Partial<ConsoleOidcConfig> = {}): ConsoleOidcConfig {
  return {
    issuer: url,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    scopes: ['email', 'profile'],
    user_claim: 'email',
    allowed_domains: [],
    parameters: {},
    timeout_ms: 5000,
    ...more,
  }
}

/** The member `oidc` as in a configuration file. */
export function oidcFile(issuer: Pick<TestIssuer, 'url'>, label = 'Sign in with Acme'): JsonObject {
  return { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, label }
}

/** The query of the callback to which the issuer redirects. */
export async function queryOf(location: string): Promise<string> {
  const response = await fetch(location, { redirect: 'manual' })
  return new URL(response.headers.get('location')!).search.slice(1)
}

/** Call in a describe: an issuer whose behaviour is reset before each test. */
export function useIssuer(algorithm?: Algorithm, page?: boolean): () => TestIssuer {
  let issuer: TestIssuer
  before(async () => {
    issuer = await startIssuer(algorithm, page)
  })
  beforeEach(() => {
    issuer.next = {}
  })
  after(() => issuer?.close())
  return () => issuer
}

function newKey(algorithm: Algorithm): SigningKey {
  const pair =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { id: randomBytes(4).toString('hex'), algorithm, key: pair.privateKey }
}

function jwkOf({ id, algorithm, key }: SigningKey): JsonObject {
  return { ...(createPublicKey(key).export({ format: 'jwk' }) as JsonObject), kid: id, alg: algorithm, use: 'sig' }
}

function signingKey(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' as const }
}

function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  // User name and password are form-encoded (RFC 6749, section 2.3.1).
  const basic = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()
  return decodeURIComponent(basic) === `${CLIENT_ID}:${CLIENT_SECRET}` || form.get('client_secret') === CLIENT_SECRET
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(body))
}
