import { expect } from 'chai'
import { BATCH_STATUSES, hasEnded } from '../../../lib/batches/batch.ts'

describe('a batch', () => {
  it('has ended in four of its states', () => {
    expect(BATCH_STATUSES.filter(hasEnded)).deep.equal(['failed', 'completed', 'expired', 'cancelled'])
  })
})
