import { expect } from 'chai'
import { decodeResult, encodeResult, endedLine, replyLine, unrunLine } from '../../../lib/batches/results.ts'
import { makeRecord } from '../../support/record.ts'

const ID = '01975000-0000-7000-8000-000000000001'

describe('results of lines', () => {
  it('are the same after they were written', () => {
    const result = { batch: 'b', line: 3, at: 9, hasFailed: true, record: makeRecord(), text: '{"a":"\u2028ä"}' }
    expect(decodeResult('b', encodeResult(result))).deep.equal(result)
    expect(endedLine(result)).deep.equal({
      batch: 'b',
      line: 3,
      hasFailed: true,
      inputTokens: 1000,
      cachedTokens: 400,
      outputTokens: 200,
      reasoningTokens: 0,
    })
  })

  it('are lines of JSON, whatever the reply was', () => {
    const line = (body: string) => JSON.parse(replyLine(ID, 'a', { requestId: 'req_1', status: 200, body }))
    expect(line('{"a":1}')).deep.equal({
      id: 'batch_req_01975000000070008000000000000001',
      custom_id: 'a',
      response: { status_code: 200, request_id: 'req_1', body: { a: 1 } },
      error: null,
    })
    expect(replyLine(ID, 'a', { requestId: 'r', status: 200, body: '{\n"a":\r\n"b\\n"}' })).not.match(/[\r\n]/)
    expect(line('no\nJSON').response.body).equal('no\nJSON')
  })

  it('of lines that were not run have a code', () => {
    expect(JSON.parse(unrunLine(ID, null, 'batch_expired'))).deep.include({ custom_id: null, response: null })
    expect(JSON.parse(unrunLine(ID, 'a', 'batch_cancelled')).error.code).equal('batch_cancelled')
  })
})
