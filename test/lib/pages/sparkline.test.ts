import { expect } from 'chai'
import { htmlSparkline } from '../../../lib/pages/sparkline.ts'

describe('a sparkline', () => {
  it('has its numbers as text, and a gap where a value is not known', () => {
    const svg = htmlSparkline([0, 2, null, 1], '0, 2, –, <1>').toString()
    expect(svg).contain('role="img" aria-label="0, 2, –, &lt;1&gt;"').and.contain('<title>0, 2, –, &lt;1&gt;</title>')
    expect(svg).contain('d="M0.0 19.0L33.3 1.0M100.0 10.0"')
  })

  it('is flat without values', () => {
    expect(htmlSparkline([0, 0], '0, 0').toString()).contain('d="M0.0 19.0L100.0 19.0"')
    expect(htmlSparkline([], '').toString()).contain('d=""')
  })
})
