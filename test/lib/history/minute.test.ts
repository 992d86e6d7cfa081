import { expect } from 'chai'
import { Minute, OTHER, type Sample } from '../../../lib/history/minute.ts'
import { namedValues } from '../../support/backend-minutes.ts'
import { makeRecord } from '../../support/record.ts'

const URL = 'http://a/v1'

const sample = (more: Partial<Sample>): Sample => {
  const idle = { inFlight: 0, queued: 0, capacity: null, fill: null }
  return { model: 'm', backend: URL, state: 'up', cordon: null, ...idle, ...more }
}

const record = (more: Parameters<typeof makeRecord>[0]) =>
  makeRecord({ model_resolved: 'm', backend: URL, is_streaming: true, ttft_ms: 15, output_tps: 50, ...more })

describe('Minute', () => {
  it('adds up the time in each state, the load, and the known fill', () => {
    const minute = new Minute()
    minute.sample([sample({ inFlight: 2, capacity: 8, fill: 0.5 })], 1000)
    minute.sample([sample({ inFlight: 6, state: 'ejected', capacity: 8 })], 500)
    minute.sample([sample({ backend: '', state: null, queued: 3 })], 500)
    const [row, own] = minute.take(7).map(namedValues)
    expect(row).deep.include({ model: 'm', backend: URL, minute: 7, up_ms: 1000, ejected_ms: 500, unhealthy_ms: 0 })
    expect(row).deep.include({ in_flight_ms: 5000, in_flight_max: 6, capacity: 8, fill_ms: 500, fill_known_ms: 1000 })
    expect(own).deep.include({ backend: '', queue_ms: 1500, queue_max: 3, capacity: null, up_ms: 0 })
    expect(minute.take(8)).deep.equal([])
  })

  it('has one row for backends that differ only in their keys', () => {
    const minute = new Minute()
    minute.sample([sample({ inFlight: 2 }), sample({ inFlight: 3 })], 1000)
    expect(minute.take(0).map(namedValues)).lengthOf(1)
    minute.sample([sample({ inFlight: 2 }), sample({ inFlight: 3 })], 1000)
    expect(minute.take(0).map(namedValues)[0]).deep.include({ in_flight_ms: 5000, in_flight_max: 5 })
  })

  it('has the times of streams of clients, but not of batches and of the gateway itself', () => {
    const minute = new Minute()
    for (const surface of ['gateway', 'api', 'dedicated', 'batch', 'internal'] as const)
      minute.request(record({ surface }))
    minute.request(record({ is_streaming: false }))
    minute.request(record({ ttft_ms: null, output_tps: null }))
    const [row, ...rest] = minute.take(0).map(namedValues)
    expect(rest).deep.equal([])
    // 50 tokens per second are 20 ms per token.
    expect(row).deep.include({ ttft_1: 3, ttft_0: 0, pace_7: 3, requests: 0 })
  })

  it('has the waits of all requests of clients for a backend', () => {
    const minute = new Minute()
    minute.request(record({ queue_ms: 200 }))
    minute.request(record({ queue_ms: 100, is_streaming: false }))
    minute.request(record({ queue_ms: 50, surface: 'batch' }))
    minute.request(record({ queue_ms: null }))
    expect(minute.take(0).map(namedValues)[0]).deep.include({ waits: 2, wait_ms: 300 })
  })

  it('counts requests that no backend could take, at their model', () => {
    const minute = new Minute()
    for (const error_code of ['backend_at_capacity', 'no_healthy_backends', 'rate_limit_exceeded', null])
      minute.request(record({ backend: null, error_code }))
    minute.request(record({ backend: null, error_code: 'backend_at_capacity', model_resolved: null }))
    expect(
      minute
        .take(0)
        .map(namedValues)
        .map(({ backend, turned_away }) => [backend, turned_away]),
    ).deep.equal([['', 2]])
  })

  it('knows cached tokens only of backends that report them', () => {
    const minute = new Minute()
    minute.count('m', URL, 'cached_tokens', 0)
    minute.count('m', URL, 'requests', 2)
    minute.count('m', 'http://b/v1', 'requests', 1)
    const rows = minute.take(0).map(namedValues)
    expect(rows.map(({ requests, cached_tokens }) => [requests, cached_tokens])).deep.equal([
      [2, 0],
      [1, null],
    ])
  })

  it('has at most 5,000 rows and one for all others', () => {
    const minute = new Minute()
    for (let i = 0; i < 5010; i++) minute.count('m', `http://${i}/v1`, 'requests', 1)
    const rows = minute.take(0).map(namedValues)
    expect(rows).lengthOf(5001)
    expect(rows.at(-1)).deep.include({ model: OTHER, backend: OTHER, requests: 10 })
  })
})
