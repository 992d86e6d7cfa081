import { expect } from 'chai'
import { toClientParam, toErrorBody } from '../../../../lib/formats/openai/errors.ts'

describe('errors of chat completions and text completions', () => {
  it('are in the envelope (docs/api/errors.md#envelope)', () => {
    const body = { type: 't', code: 'c', message: 'm', param: 'n', request_id: 'req_1', docs_url: 'd', model: 'x' }
    expect(toErrorBody(body)).eql({ error: body })
  })

  it('name canonical paths as they are', () => {
    expect(toClientParam('tools.0.function.name')).equal('tools.0.function.name')
  })
})
