import { expect } from 'chai'
import { html } from '../../../lib/pages/html.ts'
import { htmlPlot, htmlTable } from '../../../lib/pages/table.ts'

describe('table', () => {
  it('has a caption and named columns', () => {
    const table = htmlTable('Your <keys>', ['A & B', 'Tokens#'], [[html`<code>k</code>`, 12]]).toString()
    expect(table)
      .contain('<caption>Your &lt;keys&gt;</caption>')
      .and.contain('<th scope="col">A &amp; B</th><th scope="col" class="number">Tokens</th>')
      .and.contain('<td><code>k</code></td><td class="number">12</td>')
  })

  it('goes with a plot, whose numbers are an attribute', () => {
    const series = [{ label: '"<m>"', values: [1, null] }]
    const plot = htmlPlot({ label: 'Requests & more', times: [1, 2], series, shape: 'bars' }).toString()
    expect(plot).contain('role="img" aria-label="Requests &amp; more"').and.not.contain('<m>')
    const [, given] = /data-plot="([^"]*)"/.exec(plot)!
    const read = given!.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    expect(JSON.parse(read)).deep.equal({ times: [1, 2], series, shape: 'bars' })
  })
})
