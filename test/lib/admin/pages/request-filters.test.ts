import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../../../lib/store/store.ts'
import { usePages } from '../../../support/operators.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { silent } from '../../../support/stores.ts'

const MADE = { model_resolved: 'gone', input_tokens: 1000, cache_read_tokens: 0 }
const RECORDS = [
  makeRecord({ ...MADE, key_id: 'k8', user_id: 'eve@acme.test', cache_read_tokens: 900 }),
  makeRecord({ ...MADE, key_id: 'k9', user_id: 'eve@acme.test', request_tags: ['a'] }),
  makeRecord({ ...MADE, key_id: 'k9', user_id: 'mallory@acme.test', status_code: 429, dispatched: false }),
] as const

describe('filters of the page of requests', () => {
  const pages = usePages()

  before(async () => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    await insertRecords(store, RECORDS)
    await store.close()
  })

  const found = async (path: string) => {
    const { text } = await pages().get(path)
    return RECORDS.map(({ id }) => text.includes(id))
  }

  for (const [query, expected] of [
    ['key=k9', [false, true, true]],
    ['user=eve%40acme.test', [true, true, false]],
    ['key=k9&user=eve%40acme.test', [false, true, false]],
    ['key=k9&status=4xx', [false, false, true]],
    ['user=eve%40acme.test&tag=a', [false, true, false]],
    ['user=eve%40acme.test&cache=10', [false, true, false]],
    ['user=eve', [false, false, false]],
  ] as const)
    it(`of ${query} hold for the page and its CSV file`, async () => {
      expect(await found(`/requests?${query}`)).deep.equal(expected)
      expect(await found(`/requests.csv?${query}`)).deep.equal(expected)
    })

  it('stay in the form, also those that only links set', async () => {
    const at = '2026-11-28T12:00:00.000Z'
    const { text } = await pages().get(`/requests?key=k9&user=eve%40acme.test&model=gone&cache=25&around=${at}`)
    for (const [name, value] of [
      ['key', 'k9'],
      ['user', 'eve@acme.test'],
      ['around', at],
    ])
      expect(text).contain(`name="${name}" value="${value}"`)
    for (const value of ['gone', '25']) expect(text).contain(`<option value="${value}" selected>`)
    expect(text).contain('href="/requests.csv?key=k9&amp;user=eve%40acme.test&amp;')
    expect((await pages().get('/requests')).text).not.contain('name="around"')
  })

  it('are folded, and links next to the quick filters remove those that are set', async () => {
    const { text } = await pages().get('/requests?key=k9&status=errors&slow=1000')
    expect(text).contain('<details class="filters" data-folded><summary>Filters: last day</summary>')
    for (const [chip, href] of [
      ['Key: k9', 'status=errors&amp;slow=1000'],
      ['Errors', 'key=k9&amp;slow=1000'],
      ['Longer than 1000 ms', 'key=k9&amp;status=errors'],
    ])
      expect(text).contain(`<a href="/requests?${href}" aria-current="true">${chip}<`)
    expect(text.match(/, remove</g)).length(2)
    expect((await pages().get('/requests?status=401')).text).contain(
      '<a href="/requests?" aria-current="true">Status: 401<',
    )
    expect((await pages().get('/requests')).text).not.contain(', remove<')
  })

  it('are links from the cells of their columns', async () => {
    const cookie = `${pages().cookie}; service_columns=key.user`
    const { text } = await pages().get('/requests?model=gone', { cookie })
    for (const filter of ['key=k9', 'user=mallory%40acme.test'])
      expect(text).contain(`href="/requests?account=${RECORDS[0].account_id}&amp;${filter}"`)
  })
})
