import { expect } from 'chai'
import { verdictOf } from '../../../lib/batches/retry.ts'

const failure = (status: number, code: string) => ({ status, body: JSON.stringify({ error: { code } }) })

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
