import { expect } from 'chai'
import { SignInFailure, type SignInFailureReason } from '../../../lib/oidc/failure.ts'

describe('failures of a sign-in', () => {
  it('have a problem and a remedy', () => {
    const failure = new SignInFailure('unreachable', 'issuer.test', 'it takes too long')
    expect(failure.words).deep.equal([
      'issuer.test does not answer as it should: it takes too long.',
      'Try again in a minute.',
    ])
    expect(failure.status).equal(503)
  })

  it('insert the text of an issuer unchanged', () => {
    const { words } = new SignInFailure('unknown', 'issuer.test', '$& {issuer}')
    expect(words[0]).equal('issuer.test knows you as $& {issuer}, who is no member of an account here.')
  })

  it('leave the name of a person out of the log', () => {
    for (const reason of ['unknown', 'not_operator'] satisfies SignInFailureReason[])
      expect(new SignInFailure(reason, 'issuer.test', 'alice@test').facts).deep.equal({ reason, issuer: 'issuer.test' })
    expect(new SignInFailure('client', 'issuer.test', 'invalid_client').facts).deep.equal({
      reason: 'client',
      issuer: 'issuer.test',
      detail: 'invalid_client',
    })
  })
})
