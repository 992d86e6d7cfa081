import { expect } from 'chai'
import { readableEndpoint } from '../../../plugins/endpoints/access.ts'
import { keyOf } from '../../support/key.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('endpoint access', () => {
  const key = keyOf({}, { endpoints: ['a.test', 'b.test'] })

  it('allows a key to read each of its endpoints, with a host in any case', () => {
    expect(readableEndpoint(key, 'a.test')).equal('a.test')
    expect(readableEndpoint(key, 'B.Test')).equal('b.test')
  })

  it('refuses every other endpoint with one message, whether it exists or not', () => {
    const expected = {
      code: 'http_403',
      status: 403,
      param: 'endpoint',
      message: 'This key is not authorized for this endpoint.',
    }
    for (const host of ['c.test', 'nobody.test', '', 'a.test.evil']) {
      expect(
        refusalOf(() => readableEndpoint(key, host)),
        host,
      ).deep.equal(expected)
    }
    expect(refusalOf(() => readableEndpoint(keyOf(), 'a.test'))).deep.equal(expected)
  })
})
