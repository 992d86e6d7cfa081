import { expect } from 'chai'
import { html } from '../../../lib/pages/html.ts'
import { htmlPlot, htmlTable, type Plot } from '../../../lib/pages/table.ts'

/** shared/steps.js, which browsers run. */
const STEPS = new URL('../../../lib/pages/browser/shared/steps.js', import.meta.url)

describe('table', () => {
  it('has a caption and named columns', () => {
    const table = htmlTable('Your <keys>', ['A & B', 'Tokens#'], [[html`<code>k</code>`, 12]]).toString()
    expect(table)
      .contain('<caption>Your &lt;keys&gt;</caption>')
      .and.contain('<th scope="col">A &amp; B</th><th scope="col" class="number">Tokens</th>')
      .and.contain('<td data-label="A &amp; B"><code>k</code></td><td data-label="Tokens" class="number">12</td>')
  })

  it('marks cells without a value, which the cards of phones omit', () => {
    expect(htmlTable('Keys', ['Label', 'Tokens#'], [['–', '–']]).toString()).contain(
      '<td data-label="Label" class="none">–</td><td data-label="Tokens" class="number none">–</td>',
    )
  })

  it('has a text below a row across all columns', () => {
    const table = htmlTable(
      'Backends',
      ['#', 'Name'],
      [
        [1, 'a'],
        [2, 'b'],
      ],
      { details: [null, '<down>'] },
    ).toString()
    expect(table.match(/class="detail"/g)).lengthOf(1)
    expect(table)
      .contain('<tr class="detail"><td colspan="2">&lt;down&gt;</td></tr>')
      .and.contain('<th scope="col">#</th>')
  })

  it('goes with a plot, whose numbers are an attribute', () => {
    const series = [{ label: '"<m>"', values: [1, null] }]
    const plot = htmlPlot({ label: 'Requests & more', times: [1, 2], series, shape: 'bars' }).toString()
    expect(plot).contain('role="img" aria-label="Requests &amp; more"').and.not.contain('<m>')
    const [, given] = /data-plot="([^"]*)"/.exec(plot)!
    const read = given!.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    expect(JSON.parse(read)).deep.equal({ times: [1, 2], series, shape: 'bars' })
  })

  it('goes with a plot that joins samples if few have a value, and has gaps instead of zeros', async () => {
    const { stepped } = (await import(STEPS.href)) as { stepped(plot: Plot): Plot }
    const plot = (values: (number | null)[], more: Partial<Plot['series'][number]> = {}): Plot => {
      const times = values.map((_, at) => 1200 + at * 5)
      return { label: '', times, series: [{ label: 'a', values, ...more }], shape: 'line', zeroIsGap: true }
    }
    const valuesOf = (shown: Plot) => shown.series[0]!.values
    expect(valuesOf(stepped(plot([1, 2, 3, 4, 5, 0])))).deep.equal([1, 2, 3, 4, 5, null])
    const rare = stepped(plot([6, 0, 0, 3, 0, 0]))
    expect([rare.times, valuesOf(rare)]).deep.equal([
      [1200, 1215],
      [2, 1],
    ])
    expect(valuesOf(stepped(plot([7, null, 9, 1, null, null], { merge: 'max' })))).deep.equal([9, 1])
    const days = { ...plot([0, 5]), times: [0, 86_400], zeroIsGap: false }
    expect(valuesOf(stepped(days))).deep.equal([0, 5])
    expect(valuesOf(stepped({ ...days, shape: 'bars' }))).deep.equal([null, 5])
  })

  it('goes with a plot that shows the whole last step, in which marks may be', async () => {
    const { spanOf } = (await import(STEPS.href)) as {
      spanOf(times: readonly number[], low: number, high: number): readonly number[]
    }
    const times = [0, 60, 120]
    expect(spanOf(times, 0, 120)).deep.equal([0, 180])
    expect(spanOf(times, 0, 60)).deep.equal([0, 60])
  })
})
