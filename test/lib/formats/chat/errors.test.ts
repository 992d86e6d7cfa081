import { expect } from 'chai'
import { clientParam, errorBody } from '../../../../lib/formats/chat/errors.ts'

describe('errors of chat', () => {
  it('stand in the envelope (docs/api/errors.md#envelope)', () => {
    const body = { type: 't', code: 'c', message: 'm', param: 'n', request_id: 'req_1', docs_url: 'd', model: 'x' }
    expect(errorBody(body)).eql({ error: body })
  })

  it('name canonical paths as they are', () => {
    expect(clientParam('tools.0.function.name')).equal('tools.0.function.name')
  })
})
