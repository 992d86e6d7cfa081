import { expect } from 'chai'
import { quotaText } from '../../../../lib/admin/pages/quota.ts'
import { configOf, MODEL } from '../../../support/config.ts'

const config = configOf(`${MODEL}
plans:
  day: { requests: { limit: 2000, window: 1d } }
  days: { requests: { limit: 2000, window: 7d } }
  long: { requests: { limit: 2000, window: 90d } }
  hours: { requests: { limit: 2000, window: 12h } }
  short: { requests: { limit: 10, window: 5m } }
  none: { concurrency: 1 }
`)
const NOW = Date.parse('2026-11-23T04:00:00Z') * 1000
/** The window of seven days has begun on the 19th: by days since 1970. */
const DAYS = [
  { day: '2026-11-18', requests: 7 },
  { day: '2026-11-19', requests: 30 },
  { day: '2026-11-22', requests: 200 },
  { day: '2026-11-23', requests: 1000 },
]

describe('quotaText', () => {
  let asked: unknown[]
  beforeEach(() => {
    asked = []
  })
  const of = (plan: string | null, { days = DAYS, rows = [] as { requests: number }[] } = {}) => {
    const call = async (name: string, input: { query: object }) => {
      asked.push([name, input.query])
      return { rows }
    }
    const visit = { config, now: NOW, call } as unknown as Parameters<typeof quotaText>[0]
    return quotaText(visit, { id: 'a', plan }, { from: '2026-10-25T00:00:00.000Z', days })
  }

  it('is what the window still admits, by the days that the page has', async () => {
    expect(await of('day')).equal('1,000 of 2,000 until 2026-11-24 00:00:00')
    expect(await of('days')).equal('770 of 2,000 until 2026-11-26 00:00:00')
    expect(await of('day', { days: [] })).match(/^2,000 of/)
    expect(await of('day', { days: [{ day: '2026-11-23', requests: 2100 }] })).match(/^0 of/)
    expect(asked).deep.equal([])
  })

  it('asks for usage where the window is longer, or ends within a day', async () => {
    expect(await of('hours', { rows: [{ requests: 1500 }] })).equal('500 of 2,000 until 2026-11-23 12:00:00')
    expect(await of('long')).match(/^2,000 of/)
    expect(asked).deep.equal([
      ['usage', { account: 'a', from: '2026-11-23T00:00:00.000Z', group_by: '' }],
      [
        'usage',
        {
          account: 'a',
          from: new Date(Math.floor(NOW / 1000 / 7_776_000_000) * 7_776_000_000).toISOString(),
          group_by: '',
        },
      ],
    ])
  })

  it('is not known of short windows, and there is none without a quota', async () => {
    expect(await of('short')).equal('– of 10 per 5m')
    for (const plan of ['none', null, 'gone']) expect(await of(plan)).equal('no quota')
  })
})
