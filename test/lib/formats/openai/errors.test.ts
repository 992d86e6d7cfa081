import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { toClientParam, toErrorBody } from '../../../../lib/formats/openai/errors.ts'

describe('errors of chat completions and text completions', () => {
  it('are in the envelope (docs/api/errors.md#envelope)', () => {
    const body = { type: 't', code: 'c', message: 'm', param: 'n', request_id: 'req_1', docs_url: 'd', model: 'x' }
    expect(toErrorBody(body)).eql({ error: body })
  })

  it('name canonical paths as they are', () => {
    expect(toClientParam('tools.0.function.name')).equal('tools.0.function.name')
  })

  it('name the limit of tokens as the client did', () => {
    const named = (body: JsonObject) => toClientParam('max_tokens', body)
    expect(named({ max_completion_tokens: 5 })).equal('max_completion_tokens')
    expect(named({ max_completion_tokens: 5, max_tokens: null })).equal('max_completion_tokens')
    expect(named({ max_tokens: 5 })).equal('max_tokens')
    expect(named({ max_tokens: 5, max_completion_tokens: 5 })).equal('max_tokens')
    expect(named({})).equal('max_tokens')
  })
})
