import { expect } from 'chai'
import { createSealer } from '../../../lib/oidc/sealer.ts'

describe('sealer', () => {
  it('opens what it has sealed, and nothing of another secret or purpose', () => {
    const sealed = createSealer('secret', 'a').seal({ sub: 'alice' })
    expect(sealed).not.contain('alice')
    expect(createSealer('secret', 'a').open(sealed)).deep.equal({ sub: 'alice' })
    expect(createSealer('secret', 'b').open(sealed)).equal(undefined)
    expect(createSealer('other', 'a').open(sealed)).equal(undefined)
    for (const text of ['', 'x', sealed.slice(0, -2)]) expect(createSealer('secret', 'a').open(text)).equal(undefined)
  })
})
