import { expect } from 'chai'
import { Queues } from '../../../../lib/backends/queue/queues.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { ManualClock } from '../../../support/clock.ts'

describe('Queues', () => {
  it('keeps the requests of each model apart, and the counts of their accounts', async () => {
    let free = 0
    const metrics = new Metrics()
    const queues = new Queues({ clock: new ManualClock(), metrics, after: () => () => {} })
    const entrant = (account: string) => ({
      account,
      priority: 0,
      zdr: false,
      bytes: 0,
      take: () => {
        if (free === 0) throw failure('backend_at_capacity', { model: 'm' })
        free--
        return account
      },
      waits: () => {},
    })
    const config = { max: 10, max_wait_ms: 1000, fair: 'account' as const }
    const enter = (model: string, account: string) => queues.enter(model, config, entrant(account))
    free = 1
    const first = await enter('m', 'a')
    const others = [enter('m', 'a'), enter('m', 'b'), enter('other', 'c')]
    queues.settle('m', first!.charge, {
      promptTokens: 1_000_000,
      completionTokens: 1,
      cachedTokens: null,
      reasoningTokens: null,
    })
    free = 1
    queues.pump('m')
    expect((await others[1]!)?.taken).equal('b')
    const lines = (await metrics.registry.metrics()).split('\n')
    expect(lines).include('sluiceway_queue_waiting{model="m"} 1')
    expect(lines).include('sluiceway_queue_waiting{model="other"} 1')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="served"} 1')
  })
})
