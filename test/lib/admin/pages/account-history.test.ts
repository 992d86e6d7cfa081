import { expect } from 'chai'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

const PLANS = { small: { limits: { requests_per_minute: 1, budget_cents: { amount: 3000, window: '30d' } } } }

describe('the page of an account over time', () => {
  const pages = usePages({ more: { plans: PLANS } })

  it('is linked from the page of the account, and shows its limits, cost and refused requests', async () => {
    const { text: account } = await pages().get(`/accounts/${ACCOUNT}`)
    expect(account).contain(`href="/accounts/${ACCOUNT}/history"`)
    await pages().send('/accounts', { name: 'Acme', kind: 'serverless', plan: 'small', credits_cents: '500' })
    const { accounts } = await pages().api('GET', '/admin/v1/accounts?name=acme')
    const [{ id }] = accounts as [{ id: string }]
    const { secret } = await pages().api('POST', `/admin/v1/accounts/${id}/keys`, {})
    const ask = () =>
      pages().gateway.post(
        '/v1/chat/completions',
        { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
        { headers: { authorization: `Bearer ${String(secret)}` } },
      )
    expect([(await ask()).status, (await ask()).status]).deep.equal([200, 429])
    const page = async () => (await pages().get(`/accounts/${id}/history?range=7d`)).text
    await eventually(async () => textIn(await page()).includes('Refused by limits 1 1 rate_limit_exceeded'))
    const text = await page()
    expect(textIn(text))
      .contain('Limit of the plan: 30.00 USD in 30d')
      .and.contain('Requests 1 ')
      .and.contain('Balance 5.00 USD')
    expect(text)
      .contain(`href="/requests?account=${id}&amp;since=168&amp;status=429"`)
      .and.contain('Limit in 30d, a day&#39;s share')
    // Cost and tokens have gaps where there was no usage.
    expect(text.match(/&quot;zeroIsGap&quot;:true/g)).lengthOf(2)
    expect(text).contain(`href="/usage?account=${id}&amp;from=`)
    for (const range of ['24h', '30d', 'retention'])
      expect((await pages().get(`/accounts/${id}/history?range=${range}`)).status, range).equal(200)
    expect((await pages().get(`/accounts/${id}/history?range=1y`)).status).equal(422)
    expect((await pages().get('/accounts/none/history')).status).equal(404)
  })
})
