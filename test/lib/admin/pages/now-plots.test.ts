import { expect } from 'chai'
import type { Dashboard } from '../../../../lib/admin/live/dashboard.ts'
import type { LivePoint } from '../../../../lib/admin/live/rates.ts'
import { hourPlots, plotValues } from '../../../../lib/admin/pages/now-plots.ts'
import type { Plot } from '../../../../lib/pages/table.ts'
import { textIn } from '../../../support/operators.ts'

const point: LivePoint = {
  ...{ at: 1_800_000_000, requests_per_second: 2, errors_per_second: 0, ttft_p50_ms: 100, ttft_p95_ms: 200 },
  ...{ tokens_per_second: 50, queued: null, in_flight: 3 },
}
const dashboard = { points: [point], pointsOf: () => [], models: ['m'] } as unknown as Dashboard
const event = { at: '2027-01-15T08:00:00.000000Z', kind: 'drain', model: 'm', url: 'http://a:8000/v1' }

describe('the plots of the last hour', () => {
  const plotsIn = (text: string) =>
    Array.from(text.matchAll(/data-plot="([^"]*)"/g), ([, data]) => JSON.parse(textIn(data!)) as Plot)

  it('have marks for events, which a table has too', () => {
    const text = hourPlots(dashboard, '', [{ ...event, reason: 'operator', actor: 'operator alice' }]).toString()
    const plots = plotsIn(text)
    expect(plots).lengthOf(4)
    for (const { marks } of plots) expect(marks).deep.equal([{ at: 1_800_000_000, text: 'drain', kind: 'warn' }])
    expect(textIn(text)).match(/last hour .*drain began m a:8000 operator operator alice/i)
    expect(text).contain('have the numbers and events')
  })

  it('have p50 over the wide line of p95, and gaps where nothing was requested', () => {
    const text = hourPlots(dashboard, 'other', []).toString()
    expect(text).contain('no reload, drain or ejection').and.contain('data-model="other"')
    const [requests, ttft] = plotsIn(hourPlots(dashboard, '', []).toString())
    expect(requests!.zeroIsGap).equal(true)
    expect(ttft!.series.map(({ label, wide }) => [label, wide])).deep.equal([
      ['p95', true],
      ['p50', undefined],
    ])
    expect(plotValues(point)).deep.equal({ requests: [2, 0], ttft: [200, 100], tokens: [50], load: [3] })
  })
})
