import { expect } from 'chai'
import { clientOf } from '../../../lib/admin/client.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { usePages } from '../../support/operators.ts'

const listen = (trusted_proxies: string[]) => ({ listen: { host: '127.0.0.1', port: 0, trusted_proxies } })

describe('clients of the operators’ port', () => {
  it('are known once for a configuration', () => {
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
    describe(`where ${trusted[0] ?? 'nobody'} is trusted`, () => {
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

      it(`the audit log says that ${seen} has called`, async () => {
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
