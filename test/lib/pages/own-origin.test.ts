import { expect } from 'chai'
import { isOwnOrigin } from '../../../lib/pages/own-origin.ts'

describe('isOwnOrigin', () => {
  it('knows a form of another origin by what browsers say', () => {
    expect(isOwnOrigin({})).equal(true)
    expect(isOwnOrigin({ 'sec-fetch-site': 'same-origin', host: 'a:1' })).equal(true)
    for (const site of ['same-site', 'cross-site']) expect(isOwnOrigin({ 'sec-fetch-site': site })).equal(false)
    expect(isOwnOrigin({ origin: 'http://a:1', host: 'a:1' })).equal(true)
    for (const origin of ['http://a:2', 'null', '']) expect(isOwnOrigin({ origin, host: 'a:1' }), origin).equal(false)
  })
})
