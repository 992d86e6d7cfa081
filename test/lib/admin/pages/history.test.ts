import { expect } from 'chai'
import {
  failuresOf,
  historyPlots,
  isEmpty,
  pointTable,
  rangeLinks,
  unitText,
} from '../../../../lib/admin/pages/history.ts'
import type { Plot } from '../../../../lib/pages/table.ts'
import { historyOf } from '../../../support/history-reply.ts'
import { textIn } from '../../../support/operators.ts'

describe('parts of history pages', () => {
  const plotsOf = (text: string) =>
    Array.from(text.matchAll(/data-plot="([^"]*)"/g), ([, data]) => JSON.parse(textIn(data!)) as Plot)
  const reload = { at: '2027-01-10T00:10:05.000000Z', kind: 'reload', url: null, reason: null, actor: null }
  const ejected = {
    ...reload,
    at: '2027-01-10T00:19:00.000000Z',
    kind: 'ejected',
    url: 'http://a/v1',
    reason: 'health_check',
  }

  it('plot lines with values, gaps where nothing was measured, and a mark for each event', () => {
    const history = historyOf([{ requests: 3 }, {}, { requests: 0 }], { events: [ejected, ejected, reload] })
    const lines = [
      ['Sent', ({ requests }: { requests: number | null }) => requests],
      ['Never', () => null],
    ] as const
    const text = historyPlots(history, [
      { title: 'Traffic', lines },
      { title: 'Nothing', lines: [lines[1]] },
    ]).toString()
    const [traffic, ...rest] = plotsOf(text)
    expect(rest).deep.equal([])
    expect(traffic!.series).deep.equal([{ label: 'Sent', values: [3, null, 0] }])
    expect(traffic!.times).deep.equal([0, 600, 1200].map(s => Date.UTC(2027, 0, 10) / 1000 + s))
    const start = Date.UTC(2027, 0, 10) / 1000
    const bad = { at: start + 1140, text: 'ejected', kind: 'bad' }
    expect(traffic!.marks).deep.equal([{ at: start + 605, text: 'reload' }, bad, bad])
    expect(text).contain('the tables below have the numbers and events')
    expect(textIn(text)).equal('Over time Traffic')
  })

  it('have no line for what never occurred, where zero is a gap', () => {
    const read = ({ requests }: { requests: number | null }) => requests
    const plot = { title: 'Traffic', lines: [['Sent', read, true]], zeroIsGap: true } as const
    expect(historyPlots(historyOf([{ requests: 0 }]), [plot]).toString()).not.contain('data-plot')
    const [drawn] = plotsOf(historyPlots(historyOf([{ requests: 0 }, { requests: 2 }]), [plot]).toString())
    expect(drawn).deep.include({ zeroIsGap: true, series: [{ label: 'Sent', values: [0, 2], wide: true }] })
  })

  it('list measured points alone, newest first', () => {
    const text = textIn(pointTable(historyOf([{ requests: 3 }, {}, { requests: 1234, ttft_p95_ms: 250 }])).toString())
    expect(text)
      .match(/00:20:00 1,234 – – 250 ms .* 00:00:00 3 /)
      .and.not.contain('00:10:00')
  })

  it('link the other ranges', () => {
    const text = rangeLinks('7d', range => `/x?range=${range}`).toString()
    expect(text.match(/aria-current/g)).lengthOf(1)
    expect(text).contain('href="/x?range=7d" aria-current="true"').and.contain('href="/x?range=30d">30 days')
  })

  it('are empty if nothing was measured', () => {
    expect(isEmpty(historyOf([{}, {}]))).equal(true)
    expect(isEmpty(historyOf([{}, { requests: 0 }]))).equal(false)
    expect(isEmpty(historyOf([{ in_flight_mean: 0 }, {}]))).equal(false)
  })

  it('count no disconnects as failures', () => {
    const failures = { refused: 1, failed: 2, timeout: 3, unreachable: 4, cancelled: 100 }
    expect(failuresOf(historyOf([{ failures }]).total)).equal(10)
    expect(failuresOf(historyOf([{}]).total)).equal(null)
    expect([unitText(null, '%'), unitText(12.345, '%')]).deep.equal(['–', '12.3 %'])
  })
})
