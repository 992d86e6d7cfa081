import { expect } from 'chai'
import { acceptsHtml, isOwnOrigin, usesLink } from '../../../lib/pages/fetch-metadata.ts'

describe('isOwnOrigin', () => {
  it('recognises a form of another origin by headers of browsers', () => {
    expect(isOwnOrigin({})).equal(true)
    expect(isOwnOrigin({ 'sec-fetch-site': 'same-origin', host: 'a:1' })).equal(true)
    for (const site of ['same-site', 'cross-site']) expect(isOwnOrigin({ 'sec-fetch-site': site })).equal(false)
    expect(isOwnOrigin({ origin: 'http://a:1', host: 'a:1' })).equal(true)
    for (const origin of ['http://a:2', 'null', '']) expect(isOwnOrigin({ origin, host: 'a:1' }), origin).equal(false)
  })
})

const ADDRESS_BAR = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-user': '?1', 'sec-fetch-site': 'none' }

describe('acceptsHtml', () => {
  it('is true for a browser that opens a page', () => {
    expect([ADDRESS_BAR, {}, { accept: '*/*' }, { accept: 'application/json' }].map(acceptsHtml)).deep.equal([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('usesLink', () => {
  it('is true for a user who opens the link, and for a program that does not ask for HTML', () => {
    for (const headers of [ADDRESS_BAR, {}, { accept: '*/*' }, { accept: '*/*', 'sec-fetch-mode': 'cors' }])
      expect(usesLink(headers), JSON.stringify(headers)).equal(true)
  })

  it('is false for a scanner, a page of another site and a prefetch', () => {
    const looking = [
      { accept: 'text/html,application/xhtml+xml' },
      { ...ADDRESS_BAR, 'sec-fetch-site': 'cross-site' },
      { ...ADDRESS_BAR, 'sec-purpose': 'prefetch' },
    ]
    for (const headers of looking) expect(usesLink(headers), JSON.stringify(headers)).equal(false)
  })
})
