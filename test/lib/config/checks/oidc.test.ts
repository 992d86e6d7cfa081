import { expect } from 'chai'
import { ACCOUNT_ID, configOf, MODEL, problemsOf } from '../../../support/config.ts'

const file = (oidc: string, owner = 'console: { oidc: ') =>
  `${owner}{ issuer: 'https://issuer.test', client_id: x${oidc === '' ? '' : `, ${oidc}`} } }${MODEL}`
const admin = (oidc: string, more = ', api: true') => file(oidc, `admin: { port: 9090${more}, oidc: `)

describe('checks on sign-in by an issuer', () => {
  it('take an issuer and a client, and fill in the rest', () => {
    const { oidc } = configOf(file('')).console
    expect(oidc).include({ user_claim: 'email', timeout_ms: 5000 })
    expect(oidc).deep.include({ scopes: ['email', 'profile'], allowed_domains: [], parameters: {} })
    expect(configOf(admin('groups: [ops]')).admin?.oidc).include({ groups_claim: 'groups' })
  })

  it('refuse members that do not exist, and values that cannot be meant', () => {
    expect(problemsOf(file('isuer: x'))[0]).contain('isuer')
    expect(problemsOf(file("client_secret: ''"))).length(1)
    expect(problemsOf(file('client_secret: short'))).deep.equal([])
    for (const scopes of ["['a b']", "['a', 'a']", "['']"]) expect(problemsOf(file(`scopes: ${scopes}`))).length(1)
    expect(problemsOf(file("allowed_domains: ['@acme.test']"))).deep.equal([
      'console.oidc.allowed_domains.0: must be a domain, such as example.com',
    ])
    for (const issuer of ['ftp://a', 'https://a?b', 'https://u:p@a', 'a'])
      expect(problemsOf(`console: { oidc: { issuer: '${issuer}', client_id: x } }${MODEL}`), issuer).length(1)
  })

  it('refuse parameters that the gateway sets, and the URL of the discovery document', () => {
    expect(problemsOf(file('parameters: { nonce: x, prompt: login }'))).deep.equal([
      'console.oidc.parameters.nonce: is a parameter that the gateway sets itself',
    ])
    const issuer = 'https://issuer.test/.well-known/openid-configuration'
    expect(problemsOf(`console: { oidc: { issuer: '${issuer}', client_id: x } }${MODEL}`)).deep.equal([
      'console.oidc.issuer: leave out /.well-known/openid-configuration: the gateway adds it',
    ])
  })

  it('refuse operators without pages, and pages without operators', () => {
    expect(problemsOf(admin('users: [alice]'))).deep.equal([])
    expect(problemsOf(admin('users: [alice]', ''))).deep.equal([
      'admin.oidc: needs `api: true`, without which operators have no pages',
    ])
    expect(problemsOf(admin(''))).deep.equal([
      'admin.oidc: needs users or groups, without which no user is an operator',
    ])
  })

  it('know an issuer that accepts every tenant, and one that verifies no addresses', () => {
    const entra = (tenant: string, more = '') =>
      `console: { oidc: { issuer: 'https://login.microsoftonline.com/${tenant}/v2.0', client_id: x${more} } }${MODEL}`
    for (const tenant of ['common', 'organizations', 'consumers'])
      expect(problemsOf(entra(tenant))[0], tenant).contain('every tenant')
    const own = 'b9419818-09af-49c2-b0c3-653adc1f376e'
    // A gateway starts with a doubt.
    expect(problemsOf(entra(own), {}, '/', false)).deep.equal([])
    expect(problemsOf(entra(own))[0]).contain('preferred_username')
    expect(problemsOf(entra(own, ', user_claim: preferred_username'))).deep.equal([])
  })

  it('take groups with an account and a role', () => {
    const groups = (map: string, issuer = 'https://issuer.test') =>
      `console: { oidc: { issuer: '${issuer}', client_id: x, accounts: { map: ${map} } } }${MODEL}`
    const map = `{ devs: { account: ${ACCOUNT_ID} }, /leads: { account: ${ACCOUNT_ID}, role: owner } }`
    expect(configOf(groups(map)).console.oidc?.accounts).deep.equal({
      claim: 'groups',
      map: { devs: { account: ACCOUNT_ID, role: 'member' }, '/leads': { account: ACCOUNT_ID, role: 'owner' } },
    })
    expect(problemsOf(groups('{ devs: { account: acme } }'))).deep.equal([
      'console.oidc.accounts.map.devs.account: must be a UUID',
    ])
    for (const wrong of ['{}', '{ devs: {} }', `{ devs: { account: ${ACCOUNT_ID}, role: boss } }`])
      expect(problemsOf(groups(wrong)), wrong).length(1)
    expect(problemsOf(groups(map, 'https://accounts.google.com'))).deep.equal([
      'console.oidc.accounts: this issuer sends no groups, so that no user becomes a member',
    ])
  })

  it('doubt an issuer without TLS elsewhere, and a callback that nobody answers', () => {
    const plain = (host: string) => problemsOf(`console: { oidc: { issuer: 'http://${host}', client_id: x } }${MODEL}`)
    expect(plain('issuer.test')[0]).contain('https://')
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:5556/dex']) expect(plain(host), host).deep.equal([])
    expect(problemsOf(file("redirect_uri: 'https://pass.test/callback'"))).deep.equal([
      'console.oidc.redirect_uri: the gateway serves the callback only at /console/login/oidc/callback',
    ])
    expect(problemsOf(file("redirect_uri: 'https://pass.test/console/login/oidc/callback'"))).deep.equal([])
  })
})
