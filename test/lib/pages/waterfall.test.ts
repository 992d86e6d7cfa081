import { expect } from 'chai'
import { htmlWaterfall, type Span } from '../../../lib/pages/waterfall.ts'
import { textIn } from '../../support/operators.ts'

const show = (spans: readonly Span[], total: number) => htmlWaterfall({ caption: 'Times', spans, total }).toString()

/** Position and width of each bar, in thousandths of the total. */
const bars = (page: string) =>
  Array.from(page.matchAll(/class="span-(\w+)" x="([\d.]+)" width="([\d.]+)"/g), ([, kind, x, width]) => [
    kind,
    Number(x),
    Number(width),
  ])

describe('htmlWaterfall', () => {
  it('draws each span at its time, and has the numbers as a table', () => {
    const spans: readonly Span[] = [
      { name: 'Queue', kind: 'wait', from: 0, to: 50, what: 'until <room>' },
      { name: 'Attempt', kind: 'failed', from: 50, to: 200 },
      { name: 'Tokens', kind: 'tokens', from: 150, to: 200, isPart: true },
    ]
    const page = show(spans, 200)
    expect(bars(page)).deep.equal([
      ['wait', 0, 250],
      ['failed', 250, 750],
      ['tokens', 750, 250],
    ])
    expect(textIn(page)).contain('Part 0 to 200 ms Begins at Took What Queue 0 ms 50 ms until <room>')
    expect(page).contain('<span class="part">Tokens</span>').and.contain('aria-hidden="true"').and.not.contain('style=')
  })

  it('keeps very short spans visible and inside', () => {
    const page = show([{ name: 'End', kind: 'gateway', from: 99_999, to: 100_000 }], 100_000)
    const [[, x, width]] = bars(page) as [[string, number, number]]
    expect(x + width).equal(1000)
    expect(width).equal(4)
    expect(show([], 0)).not.contain('NaN')
  })
})
