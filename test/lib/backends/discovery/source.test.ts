import { expect } from 'chai'
import { baseUrl, bounded, MOST_FOUND } from '../../../../lib/backends/discovery/source.ts'

describe('sources of service discovery', () => {
  it('write base URLs as those of other backends are shown', () => {
    const http = { scheme: 'http', basePath: '/v1' } as const
    expect(baseUrl(http, '10.0.0.1', 8000)).equal('http://10.0.0.1:8000/v1')
    expect(baseUrl(http, '10.0.0.1', 80)).equal('http://10.0.0.1/v1')
    expect(baseUrl({ scheme: 'https', basePath: '' }, 'a.test', 443)).equal('https://a.test')
    expect(baseUrl(http, 'fd00:0::1', 8000)).equal('http://[fd00::1]:8000/v1')
  })

  it('take each once, and not too many', () => {
    expect(bounded(['b', 'a', 'b'])).deep.equal(['a', 'b'])
    const many = Array.from({ length: 10_000 }, (_, i) => `${i}`)
    expect(bounded(many)).lengthOf(MOST_FOUND)
    expect(bounded(many.toReversed())).deep.equal(bounded(many))
  })
})
