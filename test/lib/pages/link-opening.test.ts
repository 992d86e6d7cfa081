import { expect } from 'chai'
import { usesLink } from '../../../lib/pages/link-opening.ts'

const ADDRESS_BAR = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-user': '?1', 'sec-fetch-site': 'none' }

describe('usesLink', () => {
  it('is true for a person who goes to the link, and for a program that asks for no page', () => {
    for (const headers of [ADDRESS_BAR, {}, { accept: '*/*' }, { accept: '*/*', 'sec-fetch-mode': 'cors' }])
      expect(usesLink(headers), JSON.stringify(headers)).equal(true)
  })

  it('is false for what only looks: a scanner, a page of another site, a prefetch', () => {
    const looking = [
      { accept: 'text/html,application/xhtml+xml' },
      { ...ADDRESS_BAR, 'sec-fetch-site': 'cross-site' },
      { ...ADDRESS_BAR, 'sec-purpose': 'prefetch' },
    ]
    for (const headers of looking) expect(usesLink(headers), JSON.stringify(headers)).equal(false)
  })
})
