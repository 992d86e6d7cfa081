import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import type { EjectionReason } from '../../../lib/backends/health/backend-health.ts'
import type { ModelConfig } from '../../../lib/config/config.ts'
import type { RequestLeases } from '../../../lib/dispatch/request-leases.ts'
import { Fallback, Retries } from '../../../lib/dispatch/retries.ts'
import { type BackendFailure, backendFailure, connectFailure } from '../../../lib/engines/failure/failure.ts'
import { ERRORS, type ErrorCode, GatewayError } from '../../../lib/errors/errors.ts'
import { TransportError } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

const error = (code: ErrorCode) => new GatewayError(code, ERRORS[code], {})

function fallbackTo(...models: Partial<ModelConfig>[]) {
  const fallbacks = models.map(members => targetOf(model({}, members)))
  return new Fallback({ ...targetOf(model()), fallbacks: () => fallbacks }, chatRequest({ maxTokens: 100 }))
}

describe('dispatch/retries: fallback', () => {
  it('tries the models in order, each once', () => {
    const fallback = fallbackTo({ id: 'a' }, { id: 'b' })
    expect(fallback.after(error('no_healthy_backends'))?.model.id).equal('a')
    expect(fallback.after(error('backend_connect_error'))?.model.id).equal('b')
    expect(fallback.after(error('backend_at_capacity'))).equal(undefined)
  })

  it('skips a model whose window is certainly too small', () => {
    expect(fallbackTo({ id: 'a', max_model_len: 50 }, { id: 'b' }).after(error('backend_overloaded'))?.model.id).equal(
      'b',
    )
  })

  it('applies only if no backend can serve the request', () => {
    for (const code of ['backend_timeout', 'backend_http_error', 'model_request_rejected', 'shutting_down'] as const)
      expect(fallbackTo({ id: 'a' }).after(error(code)), code).equal(undefined)
    expect(fallbackTo({ id: 'a' }).after(new TypeError())).equal(undefined)
    expect(new Fallback(targetOf(model()), chatRequest()).after(error('no_healthy_backends'))).equal(undefined)
  })
})

const MODEL = model()
const context = { model: MODEL, profile: backendConfig().profile, models: () => [] }
const status = (code: number) => backendFailure({ status: code, headers: {}, bodyText: '' }, context)
const broken = (kind: 'connect' | 'reset') => connectFailure(MODEL, new TransportError(kind, new Error(kind)))

/** Why each backend is ejected if five requests of two accounts fail like this, with one attempt at each backend. */
function ejections(failures: readonly BackendFailure[], isServed = false): (EjectionReason | undefined)[] {
  const reasons = new Map<Backend, EjectionReason>()
  const backends = failures.map(
    () =>
      new Backend('m', backendConfig(), new ManualClock(), { onEjected: (one, reason) => reasons.set(one, reason) }),
  )
  for (let i = 0; i < 5; i++) {
    const clientRequest = { account: i % 2 === 0 ? 'a' : 'b', path: '/chat/completions', stream: false }
    const retries = new Retries(chatRequest(), {} as RequestLeases, clientRequest)
    for (const [at, failure] of failures.entries()) retries.add(backends[at]!, failure)
    if (isServed) retries.served()
    retries.settle()
  }
  return backends.map(backend => reasons.get(backend))
}

describe('dispatch/retries: failed attempts', () => {
  it('count against a backend if no other was tried, or another one served the request', () => {
    expect(ejections([status(500)])).deep.equal(['requests'])
    expect(ejections([status(503)], true)).deep.equal(['requests'])
    expect(ejections([broken('reset'), broken('reset')], true)).deep.equal(['requests', 'requests'])
  })

  it('count against neither of two that failed alike', () => {
    expect(ejections([status(503), status(503)])).deep.equal([undefined, undefined])
    expect(ejections([broken('reset'), broken('reset')])).deep.equal([undefined, undefined])
  })

  it('count against both of two that failed in different ways', () => {
    expect(ejections([status(503), status(500)])).deep.equal(['requests', 'requests'])
    expect(ejections([broken('reset'), status(500)])).deep.equal(['requests', 'requests'])
  })

  it('count against every backend to which no connection can be opened', () => {
    expect(ejections([broken('connect'), broken('connect')])).deep.equal(['connection', 'connection'])
  })

  it('do not count refusals', () => {
    expect(ejections([status(429), status(400)])).deep.equal([undefined, undefined])
  })
})
