import { expect } from 'chai'
import {
  addLive,
  LiveCounter,
  type LiveCounts,
  MAX_FAILURES,
  noCounts,
  sumPeriods,
} from '../../../../lib/admin/live/counts.ts'
import type { RequestRecord } from '../../../../lib/store/record.ts'
import { makeRecord } from '../../../support/record.ts'

describe('LiveCounter', () => {
  const passed: RequestRecord[] = []
  const sink = { healthy: true, append: (one: RequestRecord) => void passed.push(one) }
  const of = (more: Partial<RequestRecord>): RequestRecord =>
    makeRecord({ model_resolved: 'm', backend: 'http://a/v1', status_code: 200, stream_error_type: null, ...more })

  it('passes on every record, and the state of the sink', () => {
    const counter = new LiveCounter()
    const state = { healthy: true, append: sink.append }
    const tapped = counter.tap(state)
    passed.length = 0
    const one = of({})
    tapped.append(one)
    expect(passed).deep.equal([one])
    state.healthy = false
    expect(tapped.healthy).equal(false)
  })

  it('passes on records of lines of batches, and counts none of them', () => {
    const counter = new LiveCounter()
    passed.length = 0
    const line = of({ surface: 'batch', status_code: 502 })
    counter.tap(sink).append(line)
    expect(passed).deep.equal([line])
    expect(counter.take()).deep.equal({ backends: [], failures: [] })
  })

  it('counts by model and backend, and resets the counts that it returns', () => {
    const counter = new LiveCounter()
    const tapped = counter.tap(sink)
    tapped.append(of({ input_tokens: 10, cache_read_tokens: 4, output_tokens: 5, ttft_ms: 100, queue_ms: 30 }))
    tapped.append(of({ input_tokens: 7, output_tokens: null, cache_read_tokens: null, ttft_ms: null, queue_ms: 12 }))
    const refused = { status_code: 429, backend: null, input_tokens: null, output_tokens: null, ttft_ms: null }
    tapped.append(of({ ...refused, queue_ms: null }))
    const { backends } = counter.take()
    expect(backends.map(({ backend, requests, errors }) => [backend, requests, errors])).deep.equal([
      ['http://a/v1', 2, 0],
      [null, 1, 1],
    ])
    expect(backends[0]).deep.include({ inputTokens: 10, cachedTokens: 4, outputTokens: 5, sent: 2, waitMs: 42 })
    expect(backends[1]).deep.include({ sent: 0, waitMs: 0 })
    expect(counter.take()).deep.equal({ backends: [], failures: [] })
  })

  it('keeps the last failures with their reasons, but no errors of clients and no disconnects', () => {
    const counter = new LiveCounter()
    const tapped = counter.tap(sink)
    for (const status_code of [400, 401, 429, 499]) tapped.append(of({ status_code }))
    tapped.append(of({ stream_error_type: 'backend_error', surface: 'dedicated' }))
    for (let i = 0; i < MAX_FAILURES + 5; i++)
      tapped.append(
        of({ status_code: 503, error_code: 'backend_overloaded', upstream_error: `busy ${i}`, surface: 'gateway' }),
      )
    const { failures, backends } = counter.take()
    expect(failures).lengthOf(MAX_FAILURES)
    expect(failures.at(-1)).deep.include({
      status: 503,
      code: 'backend_overloaded',
      reason: `busy ${MAX_FAILURES + 4}`,
    })
    expect(failures.at(-1)!.id).match(/^req_[0-9a-f]{12}$/)
    expect(backends[0]!.errors).equal(MAX_FAILURES + 9)
  })

  it('adds counts of another process, which arrive as JSON', () => {
    const sum = noCounts()
    sum.firstTokens.push(1, 2)
    const more = { ...noCounts(), requests: 2, firstTokens: [null, 1, null, 3] }
    addLive(sum, JSON.parse(JSON.stringify(more)))
    expect(sum.requests).equal(2)
    const { sent: _sent, waitMs: _waitMs, ...earlier } = noCounts()
    addLive(sum, earlier as LiveCounts)
    expect([sum.sent, sum.waitMs]).deep.equal([0, 0])
    expect(Array.from(sum.firstTokens, count => count ?? 0)).deep.equal([1, 3, 0, 3])
  })

  it('adds up the periods of several processes', () => {
    const processes = [1, 2].map(at => {
      const counter = new LiveCounter()
      const tapped = counter.tap(sink)
      for (let i = 0; i < 15; i++)
        tapped.append(of({ status_code: 502, created_at: 2 * i + at, upstream_error: `${i}` }))
      tapped.append(of({ backend: `http://${at}/v1`, output_tokens: 5 }))
      return counter.take()
    })
    const waiting = processes.map(period => ({ ...period, queues: [{ model: 'm', waiting: 2 }] }))
    const { backends, failures, queues } = sumPeriods(waiting)
    expect(queues).deep.equal([{ model: 'm', waiting: 4 }])
    expect(sumPeriods(processes)).not.property('queues')
    expect(backends.map(({ backend, requests, outputTokens }) => [backend, requests, outputTokens])).deep.equal([
      ['http://a/v1', 30, backends[0]!.outputTokens],
      ['http://1/v1', 1, 5],
      ['http://2/v1', 1, 5],
    ])
    expect(failures).lengthOf(MAX_FAILURES)
    expect(failures.map(({ at }) => at)).deep.equal(Array.from({ length: MAX_FAILURES }, (_, i) => 11 + i))
  })
})
