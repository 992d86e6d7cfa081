import { expect } from 'chai'
import { SignInFailure } from '../../../lib/oidc/failure.ts'
import { failureIn, problemOf } from '../../../lib/oidc/problems.ts'

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more })

describe('errors of the library', () => {
  it('have a reason', () => {
    const reason = (step: Parameters<typeof failureIn>[0], error: unknown) =>
      failureIn(step, error, 'issuer.test').reason
    expect(reason('discovery', withCode('OAUTH_INVALID_RESPONSE'))).equal('unreachable')
    expect(reason('tokens', new TypeError('fetch failed'))).equal('unreachable')
    expect(reason('tokens', withCode('OAUTH_INVALID_RESPONSE'))).equal('untrusted')
    expect(reason('userinfo', withCode('OAUTH_WWW_AUTHENTICATE_CHALLENGE'))).equal('client')
    const answer = (error: unknown) => withCode('OAUTH_AUTHORIZATION_RESPONSE_ERROR', { error })
    expect(reason('tokens', answer('access_denied'))).equal('denied')
    expect(reason('tokens', answer('temporarily_unavailable'))).equal('refused')
    expect(reason('tokens', withCode('OAUTH_RESPONSE_BODY_ERROR', { error: 'invalid_grant' }))).equal('used')
    expect(reason('tokens', new SignInFailure('domain', 'issuer.test'))).equal('domain')
  })

  it('never contain text of an issuer or of a forged link', () => {
    const made = withCode('OAUTH_AUTHORIZATION_RESPONSE_ERROR', { error: '<b>call 555', error_description: 'secret' })
    const failure = failureIn('tokens', made, 'issuer.test')
    expect([failure.detail, failure.cause]).deep.equal(['an error without a name', undefined])
    expect(problemOf('tokens', withCode('OAUTH_INVALID_RESPONSE', { cause: { token: 'secret' } }))).not.contain(
      'secret',
    )
  })

  it('have a text', () => {
    const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
    expect(problemOf('discovery', refused)).equal('it cannot be reached (ECONNREFUSED)')
    const claim = withCode('OAUTH_JWT_CLAIM_COMPARISON_FAILED', { cause: withCode('x', { cause: { claim: 'aud' } }) })
    expect(problemOf('tokens', claim)).equal("claim 'aud' of the ID token has another value")
    const invalid = withCode('OAUTH_INVALID_RESPONSE', { cause: withCode('OAUTH_INVALID_RESPONSE') })
    expect(problemOf('tokens', invalid)).equal('x')
    for (const odd of [undefined, null, 'text', {}, new Error('x')])
      expect(problemOf('tokens', odd)).equal('its answer is not valid')
  })
})
