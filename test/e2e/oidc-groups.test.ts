/** Members who appear and leave with their groups at an issuer. */
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { listAudit } from '../../lib/store/audit.ts'
import { createKey } from '../../lib/store/keys.ts'
import { openStore } from '../../lib/store/store.ts'
import { ACCOUNT, eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { oidcFile, useIssuer } from '../support/issuer.ts'
import { silent } from '../support/stores.ts'

describe('people whose groups make them members', () => {
  const issuer = useIssuer()
  let gateway: TestGateway
  before(async () => {
    const accounts = { map: { 'team-a': { account: 'test', role: 'admin' } } }
    const more = { console: { oidc: { ...oidcFile(issuer()), accounts } } }
    gateway = await testGateway({ backends: ['http://127.0.0.1:9/v1'], more })
  })
  after(() => gateway?.close())

  const visit = (url: string, cookie = '') => fetch(url, { headers: { cookie }, redirect: 'manual' })
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''
  async function signIn(claims: JsonObject) {
    issuer().next = { claims: { email: 'bob@test', ...claims } }
    const away = await visit(`${gateway.url}/console/login/oidc`)
    const back = (await visit(away.headers.get('location')!)).headers.get('location')!
    const opened = await visit(back, cookieOf(away))
    return { status: opened.status, cookie: cookieOf(opened) }
  }

  it('are let in with a group, and lose session and keys with it', async () => {
    expect((await signIn({ groups: ['other'] })).status).equal(403)
    const { status, cookie } = await signIn({ groups: ['other', 'team-a'] })
    expect(status).equal(200)
    const page = async () => (await visit(`${gateway.url}/console`, cookie)).text()
    expect(await page()).contain('bob@test')

    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: silent })
    const key = { account_id: ACCOUNT, user: 'bob@test', kind: 'serverless', endpoints: [] } as const
    const { secret } = await createKey(store, 'service', key, 1)
    const models = () => fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
    expect((await models()).status).equal(200)

    expect((await signIn({})).status).equal(403)
    expect(await page())
      .contain('You are not signed in')
      .and.contain('http-equiv="refresh"')
    await eventually(async () => (await models()).status === 401)
    const { entries } = await listAudit(store, {}, undefined, 100)
    expect(entries.map(({ action }) => action)).include.members(['member.add', 'member.remove', 'key.change'])
    await store.close()
  })
})
