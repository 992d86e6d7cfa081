import { expect } from 'chai'
import { nextTry, verdictOf } from '../../../lib/batches/retry.ts'

const failure = (status: number, code: string) => ({ status, body: JSON.stringify({ error: { code } }) })

describe('the next try of a line', () => {
  it('is later after each try, at most five minutes', () => {
    const waits = [0, 1, 2, 5, 50].map(attempts => nextTry(attempts, 1000))
    expect(waits.map(({ attempts }) => attempts)).deep.equal([1, 2, 3, 6, 51])
    const bounds = [1000, 2000, 4000, 32_000, 300_000]
    for (const [i, { notBefore }] of waits.entries()) expect(notBefore - 1000).within(bounds[i]! / 2, bounds[i]!)
  })
})

describe('the verdict on a reply', () => {
  it('repeats what another try may cure, and waits for money', () => {
    expect(verdictOf({ status: 200, body: '{}' })).equal('completed')
    expect(verdictOf(failure(400, 'context_length_exceeded'))).equal('failed')
    expect(verdictOf(failure(429, 'backend_at_capacity'))).equal('again')
    expect(verdictOf(failure(502, 'backend_connect_error'))).equal('again')
    expect(verdictOf(failure(402, 'insufficient_credits'))).equal('no money')
    expect(verdictOf(failure(429, 'rate_limit_exceeded'))).equal('no money')
  })
})
