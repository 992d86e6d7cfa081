/** Sign-in by an issuer over HTTP, at gateways in separate processes, and in a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { listAudit } from '../../lib/store/audit.ts'
import { createKey } from '../../lib/store/keys.ts'
import { openStore } from '../../lib/store/store.ts'
import { axeFindings, FAR_HOST, pageProblems, useBrowser } from '../support/browser.ts'
import { ACCOUNT_ID } from '../support/config.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { oidcFile, startIssuer, type TestIssuer, useIssuer } from '../support/issuer.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const BACKENDS = ['http://127.0.0.1:9/v1']

const visit = (url: string, cookie = '') => fetch(url, { headers: { cookie }, redirect: 'manual' })
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

/** Two gateways on one database, for the tests of a suite. `oidcOf`: called when the issuer runs. */
function useTwoGateways(oidcOf: () => JsonObject) {
  const database = usePostgres()
  let dir = ''
  const running: GatewayProcess[] = []
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-oidc-'))
    const more = { store: database(), console: { oidc: oidcOf() } }
    for (const name of ['first', 'second']) running.push(await startProcess(dir, name, { backends: BACKENDS, more }))
  })
  after(async () => {
    await Promise.all(running.map(gateway => gateway.stop()))
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    database,
    get first() {
      return running[0]!
    },
    get second() {
      return running[1]!
    },
  }
}

describe('people who sign in by an issuer, at two processes', () => {
  const issuer = useIssuer('ES256')
  const gateways = useTwoGateways(() => oidcFile(issuer()))

  it('may leave from one and come back to the other, which then both know them', async () => {
    const { first, second } = gateways
    const away = await visit(`${first.url}/console/login/oidc`)
    const back = (await visit(away.headers.get('location')!)).headers.get('location')!
    expect(back).match(new RegExp(`^${first.url}/`))
    const elsewhere = back.replace(first.url, second.url)
    const opened = await visit(elsewhere, cookieOf(away))
    expect(opened.status).equal(200)
    for (const { url } of [first, second])
      expect(await (await visit(`${url}/console`, cookieOf(opened))).text()).contain('alice@test')
    // Again, at each gateway.
    for (const url of [back, elsewhere]) {
      const again = await visit(url, cookieOf(away))
      expect([again.status, cookieOf(again)]).deep.equal([400, ''])
    }
  })

  it('are told what an issuer does that does not answer', async () => {
    const away = await visit(`${gateways.first.url}/console/login/oidc`)
    const back = (await visit(away.headers.get('location')!)).headers.get('location')!
    issuer().next = { broken: '/token' }
    const failed = await visit(back, cookieOf(away))
    expect([failed.status, cookieOf(failed)]).deep.equal([503, ''])
    expect(await failed.text())
      .contain('does not answer as it should')
      .and.contain('sluiceway login USER')
  })
})

describe('members by groups of an issuer, at two processes', () => {
  const issuer = useIssuer()
  const gateways = useTwoGateways(() => ({
    ...oidcFile(issuer()),
    accounts: { map: { devs: { account: ACCOUNT_ID, role: 'admin' } } },
  }))

  async function signIn({ url }: GatewayProcess): Promise<Response> {
    const away = await visit(`${url}/console/login/oidc`)
    const back = (await visit(away.headers.get('location')!)).headers.get('location')!
    return visit(back, cookieOf(away))
  }

  it('appear at a sign-in, and lose their sessions in every process with the last group', async () => {
    const { first, second } = gateways
    issuer().next = { refresh: true, claims: { email: 'erin@test', groups: ['devs'] } }
    const opened = await signIn(first)
    expect(opened.status).equal(200)
    const atSecond = async () => (await visit(`${second.url}/console`, cookieOf(opened))).text()
    expect(await atSecond()).contain('erin@test')
    issuer().next = { refresh: true, claims: { email: 'erin@test', groups: ['others'] } }
    const refused = await signIn(second)
    expect([refused.status, cookieOf(refused)]).deep.equal([403, ''])
    expect(await refused.text()).contain('no member of an account')
    expect(await atSecond())
      .contain('not signed in')
      .and.not.contain('erin@test')
  })

  it('are judged while a session lasts: keys stop working in every process', async () => {
    const { first, second, database } = gateways
    const claims = { email: 'frank@test', groups: ['devs'] }
    issuer().next = { refresh: true, claims }
    const opened = await signIn(first)
    const store = await openStore(database(), { log: silent })
    try {
      const fields = { account_id: ACCOUNT_ID, user: 'frank@test', kind: 'serverless', endpoints: [] } as const
      const { id, secret } = await createKey(store, 'service', fields, 1)
      const models = ({ url }: GatewayProcess) =>
        fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
      for (const gateway of [first, second]) await eventually(async () => (await models(gateway)).status === 200)
      issuer().next = { refresh: true, claims: { ...claims, groups: [] } }
      await store.db.updateTable('console_sessions').set({ judge_at: 1 }).where('user_id', '=', 'frank@test').execute()
      for (const gateway of [first, second]) await eventually(async () => (await models(gateway)).status !== 200)
      expect(await (await visit(`${second.url}/console`, cookieOf(opened))).text()).contain('not signed in')
      const { entries } = await listAudit(store, { actor: `issuer ${new URL(issuer().url).host}` }, undefined, 20)
      expect(entries.filter(({ target, action }) => target === id && action === 'key.change')).length(1)
      for (const token of issuer().secrets) expect(JSON.stringify(entries)).not.contain(token)
    } finally {
      await store.close()
    }
  })
})

describe('a gateway whose issuer is down', () => {
  it('starts, serves, and says so to those who press the button', async () => {
    const down = await startIssuer()
    await down.close()
    const gateway = await testGateway({ backends: BACKENDS, more: { console: { oidc: oidcFile(down) } } })
    try {
      expect((await gateway.get('/v1/models')).status).equal(200)
      expect(await (await fetch(`${gateway.url}/console`)).text()).contain('href="/console/login/oidc"')
      const response = await fetch(`${gateway.url}/console/login/oidc`, { redirect: 'manual' })
      expect(response.status).equal(503)
      expect(await response.text()).contain('cannot be reached')
    } finally {
      await gateway.close()
    }
  })
})

describe('people who sign in by an issuer, in a browser', () => {
  const open = useBrowser()
  let issuer: TestIssuer
  let gateway: TestGateway
  before(async () => {
    issuer = await startIssuer('RS256', true)
    gateway = await testGateway({
      backends: BACKENDS,
      more: {
        console: { oidc: oidcFile(issuer) },
        admin: { host: '127.0.0.1', port: 0, api: true, oidc: { ...oidcFile(issuer), users: ['alice@test'] } },
      },
    })
  })
  beforeEach(() => {
    issuer.next = {}
  })
  after(async () => {
    await gateway?.close()
    await issuer?.close()
  })

  /** For the browser, the issuer is another site. */
  const far = (url: string) => url.replace('127.0.0.1', FAR_HOST)

  for (const [who, path, url, shown] of [
    ['customers', '/console', () => gateway.url, 'First call'],
    ['operators', '/', () => gateway.gateway.adminUrl!, 'Sign out'],
  ] as const) {
    it(`get back to the pages of ${who}`, async () => {
      const page = await (await open()).newPage()
      const problems = pageProblems(page)
      await page.goto(`${far(url())}${path}`)
      await page.getByRole('link', { name: 'Sign in with Acme' }).click()
      await page.getByRole('button', { name: 'Sign in as Alice' }).click()
      await page.waitForURL(`${far(url())}${path}`)
      await page.getByText(shown).first().waitFor()
      expect(await page.getByText('alice@test').count()).above(0)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
      expect(problems).deep.equal([])
      // axe-core styles the page for a moment, which the policy refuses.
      expect(await axeFindings(page)).deep.equal([])
    })
  }

  it('read why they are not let in, and can try again', async () => {
    issuer.next = { claims: { email_verified: false } }
    const page = await (await open({ colorScheme: 'dark' })).newPage()
    await page.goto(`${far(gateway.url)}/console/login/oidc`)
    await page.getByRole('button', { name: 'Sign in as Alice' }).click()
    await page.getByRole('alert').getByText('has not verified your e-mail address').waitFor()
    expect(await axeFindings(page)).deep.equal([])
    issuer.next = {}
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.getByRole('button', { name: 'Sign in as Alice' }).click()
    await page.getByRole('heading', { name: 'First call' }).waitFor()
  })
})
