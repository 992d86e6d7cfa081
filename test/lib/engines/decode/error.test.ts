import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import { bodyError, readError } from '../../../../lib/engines/decode/error.ts'

const said = (data: Json) => {
  const { status, message, labels } = readError(data)
  return { status, message, labels }
}

describe('backend errors', () => {
  describe('in a stream', () => {
    it('are read in every envelope', () => {
      const flat = { object: 'error', message: 'The request queue is full.', type: 'ServiceUnavailable', code: 503 }
      const expected = { status: 503, message: 'The request queue is full.', labels: 'ServiceUnavailable' }
      expect(said({ error: flat }), 'SGLang').deep.equal(expected)
      expect(said(flat), 'flat').deep.equal(expected)
      expect(said({ error: { code: 400, message: 'm', type: 'invalid_request_error' } }), 'llama.cpp').deep.equal({
        status: 400,
        message: 'm',
        labels: 'invalid_request_error',
      })
      expect(said({ error: 'Something broke' }), 'a text').deep.equal({
        status: undefined,
        message: 'Something broke',
        labels: '',
      })
      expect(said({ message: 'm', code: '500' }), 'without envelope').include({ status: 500, message: 'm' })
      expect(said('m'), 'a bare text').include({ message: 'm' })
    })

    it('count as a bad request by their type if they have no status', () => {
      expect(said({ error: { message: 'm', type: 'BadRequestError' } })).include({ status: 400 })
      expect(said({ error: { message: 'm', code: 'context_length_exceeded' } })).deep.equal({
        status: undefined,
        message: 'm',
        labels: 'context_length_exceeded',
      })
    })

    it('use no number as status that is none', () => {
      for (const code of [0, 200, 7000, '5xx', null, true]) {
        expect(said({ error: { message: 'm', code } }), String(code)).include({ status: undefined })
      }
    })
  })

  describe('in a body', () => {
    it('are read from FastAPI', () => {
      expect(bodyError('{"detail":"Not found"}')).include({ message: 'Not found' })
      const detail = [{ type: 'missing', loc: ['body', 'messages', 0], msg: 'Field required', input: { a: 'secret' } }]
      expect(bodyError(JSON.stringify({ detail }))).include({ message: "'messages.0': Field required" })
      expect(bodyError('{"detail":[{"msg":"Field required"}]}')).include({ message: 'Field required' })
    })

    it('are read from a body that is cut', () => {
      const text = JSON.stringify({ object: 'error', message: 'It is "é"\n: 😀'.padEnd(3000, 'x'), code: 400 })
      expect(bodyError(text.slice(0, 2900))?.message)
        .match(/^It is "é"\n: 😀x+$/)
        .length.within(1950, 2000)
      expect(bodyError('{"error":{"message":"a \\u00')).include({ message: 'a ', status: undefined })
      for (const none of ['{"error":{"code":1', '<p>"message":"a', '"message":"a'])
        expect(bodyError(none)).equal(undefined)
    })

    it('have the counts of llama.cpp', () => {
      const error = {
        code: 400,
        message: 'too long',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 50,
        n_ctx: 40,
      }
      expect(bodyError(JSON.stringify({ error }))).include({ promptTokens: 50, contextLimit: 40 })
    })

    it('are undefined if there are none', () => {
      for (const text of ['', '<html>Bad Gateway</html>', '[]', '"x"', '{}', '{"error":{}}', '{"detail":[]}', 'null']) {
        expect(bodyError(text), text).equal(undefined)
      }
    })

    it('are read up to a depth limit', () => {
      const error = { message: 'x'.repeat(100_000) }
      expect(bodyError(JSON.stringify({ error }))?.message).lengthOf(2000)
    })
  })
})
