import { expect } from 'chai'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the search of operators', () => {
  const pages = usePages()
  /** Where the search leads, or its status and text. */
  const find = async (text: string) => {
    const { origin, cookie } = pages()
    const url = `${origin}/find?${new URLSearchParams({ q: text }).toString()}`
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    const to = response.headers.get('location')
    return to ?? `${response.status} ${textIn((await response.text()).split('<main')[1]!)}`
  }

  it('opens a page by its name', async () => {
    expect(await find('requests')).equal('/requests')
    expect(await find(' Backends ')).equal('/backends/list')
    expect(await find('batches')).match(/^404 .*Nothing is found for batches/)
  })

  it('opens a request by any id that its client saw', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    const response = await pages().gateway.post('/v1/chat/completions', body)
    const id = response.headers.get('x-request-id')!
    await response.text()
    await eventually(async () => (await find(id)) === `/requests/${id}`)
    expect(await find(id.replace('req_', ''))).equal(`/requests/${id.replace('req_', '')}`)
    expect(await find('req_000000000000')).match(/^404 /)
  })

  it('opens accounts by id and name, and keys by id and its beginning', async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Globex' })
    await pages().api('POST', '/admin/v1/accounts', { name: 'Globex 2' })
    const key = await pages().api('POST', `/admin/v1/accounts/${id}/keys`, { label: 'ci' })
    expect(await find(String(id))).equal(`/accounts/${id}`)
    expect(await find('globex')).equal(`/accounts/${id}`)
    expect(await find('glob')).match(/^200 .*account Globex account Globex 2/)
    const keys = `/accounts/${id}/keys?only=${key.id}`
    expect(await find(String(key.id))).equal(keys)
    expect(await find(String(key.id).slice(0, 9))).equal(keys)
    expect(await find('k1')).equal(`/accounts/${ACCOUNT}/keys?only=k1`)
    const { text } = await pages().get(keys)
    expect(text.match(/data-id><code class="whole">key_/g)).lengthOf(1)
  })

  it('opens models by id and alias, and backends by address', async () => {
    expect(await find('m')).equal('/models/m')
    expect(await find('alias')).equal('/models/m')
    const { url } = ((await pages().api('GET', '/admin/v1/backends')).backends as { url: string }[])[0]!
    expect(await find(url)).equal(`/backends/history?${new URLSearchParams({ model: 'm', url }).toString()}`)
    expect(await find(`:${new URL(url).port}`)).contain('/backends/history?')
  })

  it('says what it takes if nothing has the id, also of batches and sessions', async () => {
    for (const text of [`batch_${'0'.repeat(24)}`, '0123456789abcdef', '<b>', 'x'.repeat(300), 'x'.repeat(301)])
      expect(await find(text), text).match(
        /^404 .*Nothing is found for .* The search takes the name of a page; the id of a request/,
      )
    expect(await find('')).match(/^200 .*The search takes/)
  })

  it('neither searches a secret nor leaves it in the address', async () => {
    for (const secret of ['service_test_secret', `service_${'a'.repeat(43)}`, 'Bearer abc'])
      expect(await find(secret)).equal('/find?secret=1')
    const { text } = await pages().get('/find?secret=1')
    expect(textIn(text)).contain('looks like the secret of a key').and.contain('enter the id of the key')
  })
})
