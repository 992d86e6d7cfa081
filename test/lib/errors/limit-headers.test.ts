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

  it('have milliseconds if the wait is known and below a second', () => {
    expect(limitHeaders(8, 0.25)).include({ 'retry-after': '1', 'retry-after-ms': '250', 'ratelimit-reset': '1' })
    expect(limitHeaders(8, 1.2)).include({ 'retry-after': '2' }).and.not.have.property('retry-after-ms')
    expect(limitHeaders(8)).not.have.property('retry-after-ms')
  })
})
