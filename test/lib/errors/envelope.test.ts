import { expect } from 'chai'
import { docsUrl, envelope } from '../../../lib/errors/envelope.ts'
import { failure } from '../../../lib/errors/errors.ts'

// docs/api/errors.md#envelope
describe('envelope', () => {
  const refusal = failure('unsupported_feature', { model: 'm', feature: 'n' }, { param: 'n' })
  const own = { docsBase: null }

  it('has every member', () => {
    const docs = docsUrl(own, 'http://pass.test:8080', refusal.code)
    expect(envelope(refusal, { requestId: 'client_mine', docs, param: 'n' })).deep.equal({
      type: 'invalid_request_error',
      code: 'unsupported_feature',
      message: "Model 'm' does not support n.",
      param: 'n',
      request_id: 'client_mine',
      docs_url: 'http://pass.test:8080/docs/errors/unsupported_feature',
    })
  })

  it('has no param if none applies, and adds the members of its code to the others', () => {
    const error = failure('backend_timeout', { model: 'm' }, { extra: { model: 'm' } })
    const body = envelope(error, { requestId: 'req_1', docs: '' })
    expect(body).not.have.property('param')
    expect(body).include({ code: 'backend_timeout', model: 'm' })
  })

  it('links the configured documentation, or the host that the client addressed if none is configured', () => {
    const configured = { docsBase: 'https://docs.test/errors/' }
    expect(docsUrl(configured, 'http://pass.test', 'http_400')).equal('https://docs.test/errors/http_400')
    expect(docsUrl(own, 'https://pass.test:8443', 'http_400')).equal('https://pass.test:8443/docs/errors/http_400')
  })
})
