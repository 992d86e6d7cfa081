import { expect } from 'chai'
import { htmlSparkline, htmlStrip, largestOf } from '../../../lib/pages/sparkline.ts'

describe('a sparkline', () => {
  it('has its numbers as text, and a gap where a value is not known', () => {
    const svg = htmlSparkline([0, 2, null, 1], '0, 2, –, <1>').toString()
    expect(svg).contain('role="img" aria-label="0, 2, –, &lt;1&gt;"').and.contain('<title>0, 2, –, &lt;1&gt;</title>')
    expect(svg).contain('d="M0.0 19.0L33.3 1.0M97.0 10.0h3"')
  })

  it('is flat without values', () => {
    expect(htmlSparkline([0, 0], '0, 0').toString()).contain('d="M0.0 19.0L100.0 19.0"')
    expect(htmlSparkline([], '').toString()).contain('d=""')
  })

  it('has a value between two gaps as a short line', () => {
    const svg = htmlSparkline([null, 1, null, null, 1], '').toString()
    expect(svg).contain('d="M23.5 1.0h3M97.0 1.0h3"')
  })

  it('can have the scale of others, and a limit', () => {
    const svg = htmlSparkline([5, 0], '', { top: 10, bound: 10 }).toString()
    expect(svg).contain('<path class="bound" d="M0 1.0h100">').and.contain('d="M0.0 10.0L100.0 19.0"')
    expect(htmlSparkline([5, 0], '', { top: 10, bound: null }).toString()).not.contain('bound')
    expect([largestOf([null, 3, 2]), largestOf([])]).deep.equal([3, 0])
  })

  it('can be below its number', () => {
    expect(htmlStrip('/a?b&c', '<1>', false).toString()).equal(
      '<a class="strip" href="/a?b&amp;c"><span>&lt;1&gt;</span></a>',
    )
  })
})
