import { expect } from 'chai'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of the audit log', () => {
  const pages = usePages()

  it('shows operator, address, action, target and the changed members', async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: '<i>x' })
    await pages().api('PATCH', `/admin/v1/accounts/${id}`, { zdr_required: true })
    const { text } = await pages().get(`/audit?account=${id}`)
    expect(textIn(text)).match(
      /operator alice \(op_\w+\) 127\.0\.0\.1 account\.change <i>x \S+ zdr_required: false → true /,
    )
    expect(text).contain('name: &lt;i&gt;x').and.not.contain('<i>')
    expect(textIn((await pages().get('/audit?action=key.create')).text)).contain('No entries')
  })

  it('links to older entries', async () => {
    for (let i = 0; i < 51; i++) await pages().api('POST', '/admin/v1/accounts', { name: `n${i}` })
    const { text } = await pages().get('/audit?action=account.create')
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? []
    const older = await pages().get(next.replaceAll('&amp;', '&'))
    expect(older.text).contain('name: n0').and.not.contain('name: n5<')
  })
})
