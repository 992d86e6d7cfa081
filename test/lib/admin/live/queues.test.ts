import { expect } from 'chai'
import { queueFacts, sumQueues } from '../../../../lib/admin/live/queues.ts'
import { BackendPool } from '../../../../lib/backends/pool.ts'
import { model } from '../../../support/canonical.ts'
import { ManualClock } from '../../../support/clock.ts'

describe('the queues of models for operators', () => {
  it('are those of the models that have one', () => {
    const queue = { max: 10, max_wait_ms: 1000, fair: 'account' } as const
    const pool = new BackendPool([model({}, { id: 'm', queue }), model({}, { id: 'n' })], new ManualClock(), {
      health: null,
    })
    expect(queueFacts({ pool, queues: { size: id => (id === 'm' ? 3 : 9) } })).deep.equal([{ model: 'm', waiting: 3 }])
    pool.close()
  })

  it('are summed up over processes', () => {
    const of = (id: string, waiting: number) => ({ model: id, waiting })
    expect(sumQueues([of('m', 1), of('n', 0), of('m', 2)])).deep.equal([of('m', 3), of('n', 0)])
  })
})
