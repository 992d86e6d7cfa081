import { expect } from 'chai'
import type { ModelConfig } from '../../../lib/config/config.ts'
import { Fallback } from '../../../lib/dispatch/fallback.ts'
import { type ErrorCode, GatewayError } from '../../../lib/errors/errors.ts'
import { chatRequest, model, targetOf } from '../../support/canonical.ts'

const error = (code: ErrorCode) => new GatewayError(code, {})

function fallbackTo(...models: Partial<ModelConfig>[]) {
  const fallbacks = models.map(members => targetOf(model({}, members)))
  return new Fallback({ ...targetOf(model()), fallbacks: () => fallbacks }, chatRequest({ maxTokens: 100 }))
}

describe('Fallback', () => {
  it('goes through the models in order, each once', () => {
    const fallback = fallbackTo({ id: 'a' }, { id: 'b' })
    expect(fallback.after(error('no_healthy_backends'))?.model.id).equal('a')
    expect(fallback.after(error('backend_connect_error'))?.model.id).equal('b')
    expect(fallback.after(error('backend_at_capacity'))).equal(undefined)
  })

  it('passes over a model that the request certainly does not fit', () => {
    expect(fallbackTo({ id: 'a', max_model_len: 50 }, { id: 'b' }).after(error('backend_overloaded'))?.model.id).equal(
      'b',
    )
  })

  it('is there for want of a backend only', () => {
    for (const code of ['backend_timeout', 'backend_http_error', 'model_request_rejected', 'shutting_down'] as const)
      expect(fallbackTo({ id: 'a' }).after(error(code)), code).equal(undefined)
    expect(fallbackTo({ id: 'a' }).after(new TypeError())).equal(undefined)
    expect(new Fallback(targetOf(model()), chatRequest()).after(error('no_healthy_backends'))).equal(undefined)
  })
})
