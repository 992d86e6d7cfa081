import { expect } from 'chai'
import { timeline } from '../../../../lib/admin/pages/request-times.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { textIn } from '../../../support/operators.ts'

/** Begin and duration of each part, in milliseconds. */
function partsOf(request: JsonObject): Record<string, readonly number[]> {
  const [, body] = /<tbody>(.*)<\/tbody>/s.exec(timeline({ stall_count: 0, ...request }).toString()) ?? [undefined, '']
  const rows = body!.split('</tr>').map(textIn)
  const parts = rows.flatMap(row => {
    const [, name, from, took] = /^(.*?) (\d+) ms (\d+) ms/.exec(row) ?? []
    return name === undefined ? [] : [[name, [Number(from), Number(took)]] as const]
  })
  return Object.fromEntries(parts)
}

const attempt = (more: JsonObject) => ({ backend: 'http://a:8000/v1', reason: null, ...more })

describe('the times of a request', () => {
  it('are those of gateway, queue, attempts, and the parts of the last one', () => {
    const request = {
      ...{ total_latency_ms: 1000, duration_ms: 850, queue_ms: 60, first_byte_ms: 300, ttft_ms: 500, status_code: 200 },
      attempt_list: [
        attempt({ started_ms: 100, ms: 40, reason: 'status 503' }),
        attempt({ backend: 'http://b:8000/v1', started_ms: 150, ms: 800 }),
      ],
    }
    expect(partsOf(request)).deep.equal({
      Gateway: [0, 40],
      Queue: [40, 60],
      'Attempt 1: a:8000': [100, 40],
      'Attempt 2: b:8000': [150, 800],
      'First byte': [150, 250],
      'First token': [400, 100],
      Tokens: [500, 450],
      'Gateway, at the end': [950, 50],
    })
    expect(textIn(timeline({ ...request, stall_count: 2, stream_error_type: 'x' }).toString()))
      .contain('answered 503 Service Unavailable')
      .and.contain('until the stream broke, with 2 stalls of more than a second')
  })

  it('have neither a first token nor tokens if the last attempt was refused', () => {
    const request = {
      ...{ total_latency_ms: 100, duration_ms: 80, queue_ms: 0, first_byte_ms: 70, ttft_ms: null, status_code: 502 },
      attempt_list: [attempt({ started_ms: 20, ms: 80, reason: 'status 500' })],
    }
    const parts = { Gateway: [0, 20], 'Attempt 1: a:8000': [20, 80], 'First byte': [20, 70] }
    expect(partsOf(request)).deep.equal(parts)
  })

  it('of a record without the starts of attempts are consecutive', () => {
    const request = { total_latency_ms: 1000, queue_ms: 100, duration_ms: 850, first_byte_ms: 200, ttft_ms: 400 }
    expect(partsOf({ ...request, attempt_list: [attempt({ ms: 850 })] })).deep.equal({
      ...{ Gateway: [0, 50], Queue: [50, 100], 'First byte': [150, 200], 'First token': [350, 50], Tokens: [400, 600] },
    })
  })

  it('are those of the gateway if no backend was called, and are never negative', () => {
    expect(partsOf({ total_latency_ms: 7, queue_ms: null, duration_ms: null })).deep.equal({ Gateway: [0, 7] })
    const odd = { total_latency_ms: 10, queue_ms: 0, duration_ms: 12, first_byte_ms: 20, ttft_ms: 30 }
    expect(partsOf(odd)).deep.equal({ 'First byte': [0, 10] })
    expect(timeline({ total_latency_ms: 0 }).toString()).contain('less than a millisecond')
  })
})
