import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-visitor/index.ts'
import { key } from '../../../plugins/slots.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { formToken, members, ownAccount, sessions } from '../../support/visitors.ts'

const ask = (headers: Readonly<Record<string, string>>, query = `account=${ACCOUNT_ID}`, ownKeys = members) =>
  play(plugin, { headers, query, services: { sessions, ownKeys } })
const GOOD = { cookie: 'service_session=good', 'x-csrf-token': formToken('good') }

describe('console-visitor', () => {
  it('is a key of the visitor, in the requested account', async () => {
    const { exchange, error } = await ask(GOOD)
    expect(error).equal(undefined)
    const found = exchange.get(key)
    expect(found).include({ id: 'console:alice', kind: 'serverless', user: 'alice', isStored: false })
    expect(found.account).include({ id: ACCOUNT_ID, plan: 'team' })
  })

  it('is refused without a session, or without the token of its pages', async () => {
    for (const cookie of ['', 'service_session=old'])
      expect((await ask({ ...GOOD, cookie })).error).include({ code: 'http_401' })
    for (const token of ['', formToken('member')])
      expect((await ask({ ...GOOD, 'x-csrf-token': token })).error).include({ code: 'http_403' })
    expect((await ask({ cookie: GOOD.cookie })).error).include({ code: 'http_403' })
    expect((await ask({ authorization: 'Bearer service_x' })).error).include({ code: 'http_401' })
  })

  it('is refused for other accounts, and for accounts in which the visitor may create no key', async () => {
    for (const query of ['', 'account=other', 'account='])
      expect((await ask(GOOD, query)).error).include({ code: 'http_403' })
    for (const more of [{ role: null }, { kind: 'dedicated' }, { disabled: true }] as const) {
      const ownKeys = { ...members, accounts: async () => [ownAccount(more)] }
      expect((await ask(GOOD, undefined, ownKeys)).error, JSON.stringify(more)).include({ code: 'http_403' })
    }
  })
})
