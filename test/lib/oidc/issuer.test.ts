import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { IssuerConfig } from '../../../lib/config/config.ts'
import type { SignInFailure } from '../../../lib/oidc/failure.ts'
import { discoverIssuer, discoveryProblem, labelOf, openIssuer } from '../../../lib/oidc/issuer.ts'
import { type Behaviour, oidcOf, queryOf, useIssuer } from '../../support/issuer.ts'

const CALLBACK = 'https://gateway.test/console/login/oidc/callback'
type Issuer = ReturnType<typeof openIssuer>

const random = () => randomBytes(32).toString('base64url')

for (const algorithm of ['RS256', 'ES256'] as const) {
  describe(`an issuer that signs by ${algorithm}`, () => {
    const issuer = useIssuer(algorithm)
    let now = 0
    const open = (more: Partial<IssuerConfig> = {}, wanted: readonly string[] = []) =>
      openIssuer(oidcOf(issuer(), more), wanted, () => now)
    const newChecks = () => ({ state: random(), nonce: random(), verifier: random(), redirectUri: CALLBACK })

    /** Signs in and returns the claims. */
    async function claims(opened: Issuer = open()) {
      const checks = newChecks()
      return (await opened.claims(await queryOf(await opened.authorizationUrl(checks)), checks)).claims
    }

    async function failure(next: Behaviour, opened: Issuer = open()): Promise<string> {
      issuer().next = next
      const failed = await claims(opened).then(
        () => undefined,
        (error: SignInFailure) => error,
      )
      // Errors may be logged, so they must not contain tokens or codes.
      const shown = inspect(failed, { depth: null, showHidden: true })
      for (const secret of issuer().secrets) expect(shown).not.contain(secret)
      return failed === undefined ? 'none' : `${failed.reason}: ${failed.detail}`
    }

    it('is asked for a code with PKCE, state and nonce', async () => {
      const checks = newChecks()
      const more = { scopes: ['email', 'openid'], parameters: { prompt: 'select_account' } }
      const url = new URL(await open(more).authorizationUrl(checks))
      const { code_challenge, ...rest } = Object.fromEntries(url.searchParams)
      expect(code_challenge).match(/^[\w-]{43}$/)
      expect(code_challenge).not.equal(checks.verifier)
      expect(rest).deep.equal({
        client_id: 'sluiceway',
        redirect_uri: CALLBACK,
        response_type: 'code',
        code_challenge_method: 'S256',
        scope: 'openid email',
        prompt: 'select_account',
        state: checks.state,
        nonce: checks.nonce,
      })
    })

    it('sends claims about a person', async () => {
      expect(await claims()).include({ sub: 'alice-at-issuer', email: 'alice@test', email_verified: true })
      // The client secret is sent in the form if the issuer supports it, else in a header.
      issuer().next = { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } }
      expect(await claims()).include({ email: 'alice@test' })
    })

    it('is asked for claims that the ID token lacks, about the same person', async () => {
      issuer().next = { claims: { email: null }, userinfo: { email: 'more@test', sub: 'alice-at-issuer' } }
      expect(await claims(open({}, ['email']))).include({ email: 'more@test' })
      expect(await claims(open({}, ['sub']))).not.property('email')
      const other = { claims: { email: null }, userinfo: { email: 'mallory@test', sub: 'mallory' } }
      expect(await failure(other, open({}, ['email']))).equal('untrusted: userinfo is about somebody else')
    })

    it('is not trusted if the ID token has wrong claims, has expired, or has no valid signature', async () => {
      const wrong: readonly (readonly [Behaviour, RegExp])[] = [
        [{ claims: { nonce: 'another' } }, /'nonce'/],
        [{ claims: { nonce: null } }, /nonce/],
        [{ claims: { aud: 'another' } }, /'aud'/],
        [{ claims: { aud: ['sluiceway', 'another'] } }, /'aud'/],
        [{ claims: { iss: 'https://another.test' } }, /'iss'/],
        [{ claims: { exp: Math.floor(Date.now() / 1000) - 120 } }, /expired/],
        [{ claims: { exp: null } }, /exp/],
        [{ claims: { nbf: Math.floor(Date.now() / 1000) + 120 } }, /not valid yet/],
        [{ claims: { sub: null } }, /sub/],
        [{ unsigned: true }, /alg/],
        [{ header: { alg: 'HS256' } }, /alg/],
        [{ header: { crit: ['b64'] } }, /./],
        [{ foreignKey: true }, /signature/],
        [{ header: { kid: 'unknown' } }, /none of its keys/],
      ]
      for (const [next, problem] of wrong) {
        const failed = await failure(next)
        expect(failed, JSON.stringify(next)).match(/^untrusted: /)
        expect(failed, JSON.stringify(next)).match(problem)
      }
      // Also if the discovery document allows unsigned tokens.
      const careless = { unsigned: true, metadata: { id_token_signing_alg_values_supported: ['none', algorithm] } }
      expect(await failure(careless)).match(/^untrusted: /)
    })

    it('may have a clock that is wrong by half a minute', async () => {
      const late = Math.floor(Date.now() / 1000) - 30
      expect(await failure({ claims: { exp: late, iat: late - 60 } })).equal('none')
    })

    it('must name itself in the authorization response', async () => {
      for (const iss of ['https://another.test', null]) expect(await failure({ response: { iss } })).match(/^untrusted/)
      const silent = { metadata: { authorization_response_iss_parameter_supported: false }, response: { iss: null } }
      expect(await failure(silent)).equal('none')
    })

    it('may deny a sign-in', async () => {
      const error = (code: string) => failure({ response: { error: code, code: null, error_description: '<b>' } })
      expect(await error('access_denied')).equal('denied: access_denied')
      expect(await error('temporarily_unavailable')).equal('refused: temporarily_unavailable')
      expect(await error('<script>')).equal('refused: an error without a name')
      expect(await failure({}, open({ client_secret: 'another-secret-of-a-client' }))).equal('client: invalid_client')
      expect(await failure({ response: { code: 'made-up' } })).equal('used: invalid_grant')
      expect(await failure({ response: { code: null } })).match(/^untrusted/)
    })

    it('redeems a code once, with its own verifier', async () => {
      const opened = open()
      const checks = newChecks()
      const query = await queryOf(await opened.authorizationUrl(checks))
      const other = { ...checks, verifier: random() }
      expect(await opened.claims(query, other).catch((error: SignInFailure) => error.reason)).equal('used')
      expect(await opened.claims(query, checks).catch((error: SignInFailure) => error.reason)).equal('used')
    })

    it('is asked again with each refresh token', async () => {
      issuer().next = { refresh: true, claims: { groups: ['a'] } }
      const opened = open({}, ['groups'])
      const checks = newChecks()
      const first = await opened.claims(await queryOf(await opened.authorizationUrl(checks)), checks)
      expect(first.claims.groups).deep.equal(['a'])
      // The ID token lacks the claim, userinfo has it.
      issuer().next = { refresh: true, userinfo: { groups: ['b'] } }
      const second = await opened.renewed(first.refreshToken!, 'alice-at-issuer')
      expect(second.claims.groups).deep.equal(['b'])
      expect(second.refreshToken).not.equal(first.refreshToken)
      const reason = (refreshToken: string, sub: string) =>
        opened.renewed(refreshToken, sub).catch((error: SignInFailure) => error.reason)
      expect(await reason(first.refreshToken!, 'alice-at-issuer')).equal('used')
      expect(await reason(second.refreshToken!, 'bob-at-issuer')).equal('untrusted')
    })

    it('may send no refresh token', async () => {
      const opened = open()
      const checks = newChecks()
      const { refreshToken } = await opened.claims(await queryOf(await opened.authorizationUrl(checks)), checks)
      expect(refreshToken).equal(undefined)
    })

    it('may rotate its keys', async () => {
      const opened = open()
      await claims(opened)
      issuer().rotate()
      expect(await failure({}, opened)).equal('none')
      issuer().rotate(algorithm === 'RS256' ? 'ES256' : 'RS256')
      expect(await failure({}, opened)).equal('none')
    })

    it('has the time limit of the configuration', async () => {
      // Long enough for the requests that must succeed on a busy machine.
      const timeout_ms = 600
      const opened = open({ timeout_ms })
      await claims(opened)
      for (const silent of ['/token', '/jwks'])
        expect(await failure({ silent }, opened), silent).equal('unreachable: it takes too long')
      expect(await failure({ silent: '/.well-known' }, open({ timeout_ms }))).equal('unreachable: it takes too long')
      for (const broken of ['/token', '/jwks']) expect(await failure({ broken }, opened)).match(/^unreachable/)
    })

    it('is asked for its discovery document once an hour, and once for concurrent sign-ins', async () => {
      const opened = open()
      const asked = () => issuer().asked.filter(path => path.startsWith('/.well-known')).length
      const before = asked()
      await Promise.all([1, 2, 3].map(() => opened.authorizationUrl(newChecks())))
      expect(asked() - before).equal(1)
      now += 3600_001
      await opened.authorizationUrl(newChecks())
      expect(asked() - before).equal(2)
      // The last discovery document is used while the issuer does not answer.
      issuer().next = { broken: '/.well-known' }
      now += 3600_001
      for (let i = 0; i < 3; i++) await opened.authorizationUrl(newChecks())
      expect(asked() - before).equal(3)
    })

    it('is asked again after a pause if discovery fails', async () => {
      issuer().next = { broken: '/.well-known' }
      const opened = open()
      const before = issuer().asked.length
      const fail = () => opened.authorizationUrl(newChecks()).catch((error: SignInFailure) => error.reason)
      expect([await fail(), await fail(), await fail()]).deep.equal(Array(3).fill('unreachable'))
      expect(issuer().asked.length - before).equal(1)
      issuer().next = {}
      now += 5001
      expect(await fail()).contain('/authorize')
    })

    it('must be that of the configuration', async () => {
      const problem = (more: Partial<IssuerConfig>) => discoverIssuer(oidcOf(issuer(), more)).catch(discoveryProblem)
      issuer().next = { metadata: { issuer: 'https://another.test' } }
      expect(await problem({})).equal('its discovery document names another issuer')
      issuer().next = {}
      expect(await problem({ issuer: `${issuer().url}/realms/none` })).contain('another status than 200')
      expect(labelOf(oidcOf(issuer()))).equal(`Sign in with ${new URL(issuer().url).host}`)
      expect(labelOf(oidcOf(issuer(), { label: 'Acme' }))).equal('Acme')
    })
  })
}

describe('a response of an issuer', () => {
  it('is not read beyond its maximum size', async () => {
    const server = createServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      }
      res.on('drain', more)
      return more()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = { issuer, client_id: 'sluiceway', timeout_ms: 60_000 } as IssuerConfig
    const failed = await discoverIssuer(config).catch((error: unknown) => error)
    server.closeAllConnections()
    server.close()
    expect(failed).instanceOf(TypeError)
    expect((failed as TypeError).message).contain('more than 1000000 bytes')
  })
})
