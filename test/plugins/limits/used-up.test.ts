import { expect } from 'chai'
import { usedUp } from '../../../plugins/limits/used-up.ts'
import { OPTIONS } from '../../support/encoders.ts'

describe('errors of limits that are used up', () => {
  const rest = { 'ratelimit-limit': '7', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }

  it('are a 429 with Retry-After, of at least a second', () => {
    const headers = { 'retry-after': '1', 'retry-after-ms': '1', ...rest }
    expect(usedUp(OPTIONS, 7, 0)).deep.equal({ headers, shouldRetry: false })
  })

  it('are a 402 without a time to wait if the options say so', () => {
    const options = { ...OPTIONS, errors: { used_up: 402 as const } }
    expect(usedUp(options, 7, 0)).deep.equal({ status: 402, headers: rest, shouldRetry: false })
  })
})
