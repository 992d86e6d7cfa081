import { expect } from 'chai'
import { limitHeaders } from '../../../lib/errors/limit-headers.ts'

// docs/api/errors.md#headers-of-a-429
describe('headers of a 429', () => {
  it('are all four: remaining is 0, and reset equals the wait', () => {
    expect(limitHeaders(8, 20)).deep.equal({
      'retry-after': '20',
      'ratelimit-limit': '8',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '20',
    })
    expect(limitHeaders(8)['retry-after']).equal('1')
  })
})
