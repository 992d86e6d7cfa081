import { expect } from 'chai'
import type { Key } from '../../../lib/accounts/access.ts'
import { Admission, type AdmissionLimits } from '../../../lib/core/admission.ts'
import type { GatewayError } from '../../../lib/errors/errors.ts'

const UNLIMITED: AdmissionLimits = {
  requestsPerKey: Number.POSITIVE_INFINITY,
  requestsPerAccount: Number.POSITIVE_INFINITY,
  bodiesPerKey: Number.POSITIVE_INFINITY,
  bodiesPerAccount: Number.POSITIVE_INFINITY,
}

function admissionOf(limits: Partial<AdmissionLimits>): Admission {
  const admission = new Admission()
  admission.update({ ...UNLIMITED, ...limits })
  return admission
}

const keyOf = (id: string, account = 'a') => ({ id, account: { id: account } }) as Key

function refusal(call: () => unknown): GatewayError {
  try {
    call()
  } catch (thrown) {
    return thrown as GatewayError
  }
  throw new Error('no refusal')
}

describe('core/admission', () => {
  it('limits the requests of a key and of its account, and of no other', () => {
    const admission = admissionOf({ requestsPerKey: 2, requestsPerAccount: 3 })
    const refused: string[] = []
    admission.onRefused = limit => void refused.push(limit)
    const first = admission.enter(keyOf('k1'))
    admission.enter(keyOf('k1'))
    const error = refusal(() => admission.enter(keyOf('k1')))
    expect(error).include({ code: 'rate_limit_exceeded', status: 429 })
    expect(error.message).contain('This key has 2 requests in flight')
    expect(error.details.headers).include({ 'retry-after': '1', 'ratelimit-limit': '2' })
    admission.enter(keyOf('k2'))
    expect(refusal(() => admission.enter(keyOf('k2'))).message).contain('This account has 3 requests')
    admission.enter(keyOf('k3', 'b'))
    expect(refused).deep.equal(['requestsPerKey', 'requestsPerAccount'])
    first.end()
    admission.enter(keyOf('k1'))
  })

  it('limits the bodies that are read, and releases each of them once', () => {
    const admission = admissionOf({ bodiesPerKey: 2, bodiesPerAccount: 3 })
    const requests = ['k1', 'k1', 'k1', 'k2', 'k2'].map(id => admission.enter(keyOf(id)))
    const [first, second, third, fourth, fifth] = requests
    first!.beginBody()
    second!.beginBody()
    expect(refusal(() => third!.beginBody()).message).contain('This key is sending 2 request bodies')
    fourth!.beginBody()
    expect(refusal(() => fifth!.beginBody()).message).contain('This account is sending 3 request bodies')
    first!.endBody()
    first!.endBody()
    third!.beginBody()
    expect(() => fifth!.beginBody()).throw()
    for (const request of requests) for (let i = 0; i < 2; i++) request.end()
    const [one, two, other] = ['k1', 'k1', 'k2'].map(id => admission.enter(keyOf(id)))
    for (const request of [one, two, other]) request!.beginBody()
    expect(() => admission.enter(keyOf('k3')).beginBody()).throw()
  })

  it('applies new limits to later requests', () => {
    const admission = admissionOf({ requestsPerAccount: 2 })
    const [one, two] = [admission.enter(keyOf('k1')), admission.enter(keyOf('k1'))]
    admission.update({ ...UNLIMITED, requestsPerAccount: 1 })
    one.end()
    expect(() => admission.enter(keyOf('k1'))).throw()
    two.end()
    admission.enter(keyOf('k1')).end()
    admission.enter(keyOf('k1'))
    expect(() => admission.enter(keyOf('k1'))).throw()
  })
})
