import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../../lib/base/clock.ts'
import { openStore } from '../../../../lib/store/store.ts'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { silent } from '../../../support/stores.ts'

describe('the page of costs by account', () => {
  const pages = usePages()

  it('says what would fill it', async () => {
    expect(textIn((await pages().get('/costs')).text)).contain('No usage in this time')
  })

  it('ranks accounts, with share, trend and links to what is behind each number', async () => {
    await pages().gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    await eventually(async () => (await pages().get('/costs')).text.includes(`/accounts/${ACCOUNT}/history`))
    const { text } = await pages().get('/costs?range=24h')
    expect(text)
      .contain('class="sparkline"')
      .and.contain(`href="/requests?account=${ACCOUNT}&amp;since=24"`)
      .and.contain(`href="/usage?account=${ACCOUNT}&amp;from=`)
      .and.contain('aria-current="true">24 hours</a>')
    expect(textIn(text)).match(/ test 0\.00 USD – .* max\. 0\.00 USD 1 /)
    expect((await pages().get('/costs?sort=requests')).text).contain('aria-sort="descending"')
    expect((await pages().get('/costs?sort=share')).status).equal(422)
    expect((await pages().get('/costs?range=1y')).status).equal(422)
    const file = await pages().get('/costs.csv?range=24h&sort=account')
    expect(file.headers.get('content-disposition')).equal('attachment; filename="costs.csv"')
    expect(file.text).match(/^account,account_name,requests,/)
  })

  it('links the account of the gateway itself to its requests alone: it has no page', async () => {
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    const own = { surface: 'internal', endpoint: null, account_id: 'operator', model_resolved: 'm' } as const
    await insertRecords(store, [makeRecord({ ...own, created_at: systemClock.micros() })])
    await store.close()
    const { text } = await pages().get('/costs?range=24h')
    expect(text).contain('href="/requests?account=operator&amp;').and.not.contain('/accounts/operator')
    expect((await pages().get('/requests?account=operator')).status).equal(200)
  })
})
