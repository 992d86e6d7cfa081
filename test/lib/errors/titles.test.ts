import { expect } from 'chai'
import { errorTitle } from '../../../lib/errors/titles.ts'
import { allErrors } from '../../support/error-codes.ts'

describe('errorTitle', () => {
  it('has words for every code of the gateway and its plugins', async () => {
    for (const code of Object.keys(await allErrors())) {
      expect(errorTitle(code), code)
        .match(/^[A-Z].* /)
        .and.not.contain('_')
    }
    expect(errorTitle('backend_timeout')).equal('The model did not answer in time')
  })

  it('makes words of a code of another plugin', () => {
    expect(errorTitle('acme_word')).equal('acme word')
    expect(errorTitle('constructor')).equal('constructor')
  })
})
