import { expect } from 'chai'
import { readableEndpoint } from '../../../plugins/endpoints/access.ts'
import { keyOf } from '../../support/key.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('endpoint access', () => {
  const key = keyOf({}, { endpoints: ['a.test', 'b.test'] })

  it('lets a key read each of its endpoints, however the host is written', () => {
    expect(readableEndpoint(key, 'a.test')).equal('a.test')
    expect(readableEndpoint(key, 'B.Test')).equal('b.test')
  })

  it('refuses every other one in the same words, whether it exists or not', () => {
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
