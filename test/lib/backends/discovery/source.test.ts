import { expect } from 'chai'
import { baseUrl, bounded, MAX_BACKENDS } from '../../../../lib/backends/discovery/source.ts'

describe('backends/discovery/source', () => {
  it('writes base URLs without default ports', () => {
    const http = { scheme: 'http', basePath: '/v1' } as const
    expect(baseUrl(http, '10.0.0.1', 8000)).equal('http://10.0.0.1:8000/v1')
    expect(baseUrl(http, '10.0.0.1', 80)).equal('http://10.0.0.1/v1')
    expect(baseUrl({ scheme: 'https', basePath: '' }, 'a.test', 443)).equal('https://a.test')
    expect(baseUrl(http, 'fd00:0::1', 8000)).equal('http://[fd00::1]:8000/v1')
  })

  it('limits distinct values', () => {
    expect(bounded(['b', 'a', 'b'])).deep.equal(['a', 'b'])
    const many = Array.from({ length: 10_000 }, (_, i) => `${i}`)
    expect(bounded(many)).lengthOf(MAX_BACKENDS)
    expect(bounded(many.toReversed())).deep.equal(bounded(many))
  })
})
