import { expect } from 'chai'
import { budgetUsed, tokensUsed } from '../../../../plugins/limits/usage-limits/refusals.ts'

describe('refusals by what was used', () => {
  it('say whose limit it is, and never to retry at once', () => {
    const state = { allowed: false, amount: 0, remaining: 0, resetMs: 0, second: 0 }
    expect(tokensUsed(7, undefined, state).message).contain('7 tokens a minute of this account')
    expect(tokensUsed(7, 'k', state).details.headers).include({ 'retry-after': '1', 'ratelimit-limit': '7' })
  })

  it('have whole cents in headers', () => {
    const state = { allowed: false, remainingMicrocents: 0, end: 60_000, resetMs: 1500, window: '' }
    const error = budgetUsed({ amount: 0.5, window: '1m' }, undefined, state)
    expect(error.message).contain('0.5 cents in 1m of this account').and.contain('1970-01-01T00:01:00.000Z')
    expect(error.details.headers).include({ 'retry-after': '2', 'ratelimit-limit': '1', 'ratelimit-remaining': '0' })
  })
})
