import { expect } from 'chai'
import { Queues } from '../../../../lib/backends/queue/queues.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { ManualClock } from '../../../support/clock.ts'

describe('backends/queue/queues', () => {
  it('keeps the requests of each model apart, and the counts of their accounts', async () => {
    let free = 0
    const metrics = new Metrics()
    const queues = new Queues({ clock: new ManualClock(), metrics, after: () => () => {} })
    const request = (account: string) => ({
      account,
      priority: 0,
      zdr: false,
      bytes: 0,
      acquire: () => {
        if (free === 0) throw failure('backend_at_capacity', { model: 'm' })
        free--
        return account
      },
      onWait: () => {},
    })
    const config = { max: 10, max_wait_ms: 1000, fair: 'account' as const }
    const enter = (model: string, account: string) => queues.enter(model, config, request(account))
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
    expect((await others[1]!)?.acquired).equal('b')
    const lines = (await metrics.registry.metrics()).split('\n')
    expect(lines).include('sluiceway_queue_waiting{model="m"} 1')
    expect(lines).include('sluiceway_queue_waiting{model="other"} 1')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="served"} 1')
  })

  it('counts waits by how they ended, and how long they were', async () => {
    const metrics = new Metrics()
    const clock = new ManualClock()
    let timeOut = () => {}
    const after = (_ms: number, call: () => void) => {
      timeOut = call
      return () => {}
    }
    const queues = new Queues({ clock, metrics, after })
    let free = 0
    const config = { max: 10, max_wait_ms: 10_000, fair: 'account' as const }
    const enter = () =>
      queues.enter('m', config, {
        account: 'a',
        priority: 0,
        zdr: false,
        bytes: 0,
        acquire: () => {
          if (free === 0) throw failure('backend_at_capacity', { model: 'm' })
          return true
        },
        onWait: () => {},
      })
    const timedOut = enter().catch(() => {})
    clock.advance(10_000)
    timeOut()
    await timedOut
    const served = enter()
    clock.advance(300)
    free = 1
    queues.pump('m')
    await served
    const lines = (await metrics.registry.metrics()).split('\n')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="served"} 1')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="timeout"} 1')
    expect(lines).include('sluiceway_queue_wait_seconds_sum{model="m"} 10.3')
    expect(lines).include('sluiceway_queue_wait_seconds_bucket{le="0.5",model="m"} 1')
  })
})
