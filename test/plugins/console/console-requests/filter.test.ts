import { expect } from 'chai'
import { filterOf, queryOf, selectionOf } from '../../../../plugins/console/console-requests/filter.ts'

const NOW = 10e15
const read = (query: string) => filterOf(selectionOf(new URLSearchParams(query)), NOW)

describe('filter of requests', () => {
  it('is the last day by default', () => {
    expect(read('')).deep.equal({ since: NOW - 86_400_000_000 })
    expect(read('model=m&status=429&since=1h&errors=1&cursor=x')).deep.equal({
      ...{ since: NOW - 3_600_000_000, model: 'm', status: 429, errors: true, cursor: 'x' },
    })
    expect(read('since=made+up&errors=maybe')).deep.equal(read(''))
  })

  it('can be those of a key', () => {
    expect(read('key=key_1')).deep.include({ key: 'key_1' })
    expect(queryOf(selectionOf(new URLSearchParams('key=key_1')), {})).equal('key=key_1&since=24h')
  })

  it('can be the minute around a request', () => {
    const at = Date.UTC(2026, 10, 21, 10, 7, 33) * 1000
    expect(read('since=1h&around=2026-11-21T10%3A07%3A33Z')).deep.equal({ since: at - 30e6, until: at + 30e6 })
    expect(read('around=nonsense')).deep.equal(read(''))
  })

  it('reports an invalid status', () => {
    for (const status of ['42', '999', '-1', 'x', '4e2'])
      expect(read(`status=${status}`), status).contain('three digits')
  })

  it('is written into links without its cursor', () => {
    const selection = selectionOf(new URLSearchParams('model=a%26b&since=7d&errors=1&cursor=x'))
    expect(queryOf(selection, { account: 'acc', who: '' })).equal('model=a%26b&since=7d&errors=1&account=acc')
  })
})
