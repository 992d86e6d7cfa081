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

  it('links actors and actions to their entries, and targets to their pages', async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'linked' })
    const key = await pages().api('POST', `/admin/v1/accounts/${id}/keys`, {})
    const { url } = ((await pages().api('GET', '/admin/v1/backends')).backends as { url: string }[])[0]!
    await pages().api('POST', '/admin/v1/backends/drain', { url, model: 'm' })
    await pages().api('POST', '/admin/v1/backends/undrain', { url, model: 'm' })
    const { text } = await pages().get('/audit')
    for (const href of [
      '/audit?actor=operator+alice+%28op_',
      '/audit?action=key.create"',
      `/accounts/${id}"><code`,
      `/accounts/${id}/keys?only=${String(key.id)}"><code`,
      `/backends/history?model=m&amp;url=${encodeURIComponent(url)}"><code`,
    ])
      expect(text).contain(`href="${href}`)
    const [, path = ''] = /href="(\/audit\?actor=[^"]*)"/.exec(text) ?? []
    expect((await pages().get(path)).text).contain('key.create')
  })

  it('links to older entries', async () => {
    for (let i = 0; i < 51; i++) await pages().api('POST', '/admin/v1/accounts', { name: `n${i}` })
    const { text } = await pages().get('/audit?action=account.create')
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? []
    const older = await pages().get(next.replaceAll('&amp;', '&'))
    expect(older.text).contain('name: n0').and.not.contain('name: n5<')
  })
})
