import { expect } from 'chai'
import { clientOf, issueOperatorKey, KnownOperators, revokeOperatorKeyOf } from '../../../lib/admin/operators.ts'
import { findOperator } from '../../../lib/store/operator-keys.ts'
import type { RunQuery } from '../../../lib/store/query-runner.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { usePages } from '../../support/operators.ts'

describe('known operators', () => {
  const { context } = useAdminContext()

  it('are those whose keys the store has confirmed within the last hour', async () => {
    const { secret } = await issueOperatorKey(context(), 'alice')
    let now = 0
    const known = new KnownOperators({ monotonic: () => now })
    const read: RunQuery = query => query(context().store)
    const away: RunQuery = () => Promise.reject(new Error('away'))
    const nameOf = (run: RunQuery, needsStore: boolean, key = secret) =>
      known.find(run, 'service', key, needsStore).then(
        operator => operator?.name,
        (error: Error) => error.message,
      )
    expect(await nameOf(away, false)).equal('away')
    expect(await nameOf(read, true)).equal('alice')
    expect(await nameOf(away, true)).equal('away')
    now = 3_600_000
    expect(await nameOf(away, false)).equal('alice')
    expect(await nameOf(away, false, `${secret}x`)).equal('away')
    now++
    expect(await nameOf(away, false)).equal('away')
  })
})

describe('keys of operators', () => {
  const { context, audit } = useAdminContext()

  it('are created and revoked with an entry in the audit log', async () => {
    const { id, secret } = await issueOperatorKey(context(), 'alice')
    expect((await findOperator(context().store, secret))?.name).equal('alice')
    expect(await revokeOperatorKeyOf(context(), id)).equal(true)
    expect(await revokeOperatorKeyOf(context(), id)).equal(false)
    expect(await findOperator(context().store, secret)).equal(undefined)
    expect(await audit()).deep.equal(['operator_key.revoke', 'operator_key.create'])
  })
})

const listen = (trusted_proxies: string[]) => ({ listen: { host: '127.0.0.1', port: 0, trusted_proxies } })

describe('clients of the port for operators', () => {
  it('are the same object for a configuration', () => {
    const config = configOf(`listen: { trusted_proxies: [10.0.0.0/8] }${MODEL}`)
    expect(clientOf({ ...config })).equal(clientOf(config))
    const from = (remoteAddress: string) =>
      clientOf(config).address({ socket: { remoteAddress }, headers: { 'x-forwarded-for': '9.9.9.9, 203.0.113.7' } })
    expect([from('10.1.2.3'), from('11.1.2.3')]).deep.equal(['203.0.113.7', '11.1.2.3'])
  })

  for (const [trusted, seen] of [
    [['127.0.0.0/8'], '203.0.113.7'],
    [['10.0.0.0/8'], '127.0.0.1'],
    [[], '127.0.0.1'],
  ] as const) {
    describe(`if ${trusted[0] ?? 'no network'} is trusted`, () => {
      const pages = usePages({ more: listen([...trusted]) })
      const forwarded = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
      const addresses = async (action: string) => {
        const { entries } = await pages().api('GET', `/admin/v1/audit?action=${action}`)
        return (entries as { address: string }[]).map(({ address }) => address)
      }
      const post = (path: string, fields: Record<string, string>) =>
        fetch(pages().origin + path, {
          ...{ method: 'POST', headers: forwarded, redirect: 'manual' },
          body: new URLSearchParams(fields),
        })

      it(`have the address ${seen} in the audit log`, async () => {
        await fetch(`${pages().origin}/admin/v1/accounts`, {
          method: 'POST',
          headers: { ...forwarded, authorization: `Bearer ${pages().key}` },
          body: JSON.stringify({ name: 'by the API', kind: 'serverless' }),
        })
        await pages().send('/accounts', { name: 'by a page', kind: 'serverless' }, forwarded)
        expect(await addresses('account.create')).deep.equal([seen, seen])
        await post('/sign-in', { key: pages().key })
        expect((await addresses('session.open'))[0]).equal(seen)
        await pages().send('/sign-out', {}, forwarded)
        expect(await addresses('session.close')).deep.equal([seen])
        await post('/sign-in', { key: 'service_operator_wrong' })
        await eventually(async () => (await addresses('session.refuse')).length === 1)
        expect(await addresses('session.refuse')).deep.equal([seen])
      })
    })
  }
})
