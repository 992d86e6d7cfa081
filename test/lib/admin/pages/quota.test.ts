import { expect } from 'chai'
import { quotaText } from '../../../../lib/admin/pages/quota.ts'
import { configOf, MODEL } from '../../../support/config.ts'

const config = configOf(`${MODEL}
plans:
  day: { requests: { limit: 2000, window: 1d } }
  short: { requests: { limit: 10, window: 5m } }
  none: { concurrency: 1 }
`)
const NOW = Date.parse('2026-11-23T04:00:00Z') * 1000

describe('quotaText', () => {
  const asked: unknown[] = []
  const of = (plan: string | null, requests?: number) =>
    quotaText(
      {
        config,
        now: NOW,
        async call(name: string, input: { query: object }) {
          asked.push([name, input.query])
          return { rows: requests === undefined ? [] : [{ requests }] }
        },
      } as unknown as Parameters<typeof quotaText>[0],
      { id: 'a', plan },
    )

  it('is what the window still admits', async () => {
    expect(await of('day', 1500)).equal('500 of 2,000 until 2026-11-24 00:00:00')
    expect(asked).deep.equal([['usage', { account: 'a', from: '2026-11-23T00:00:00.000Z', group_by: '' }]])
    expect(await of('day')).match(/^2,000 of/)
    expect(await of('day', 2100)).match(/^0 of/)
  })

  it('is not known of short windows, and there is none without a quota', async () => {
    expect(await of('short')).equal('– of 10 per 5m')
    for (const plan of ['none', null, 'gone']) expect(await of(plan)).equal('no quota')
  })
})
