import { expect } from 'chai'
import { sealer } from '../../../lib/oidc/sealed.ts'

const VALUE = { state: 'abc', at: 1 }

describe('sealed values', () => {
  it('are read by every process with the same secret, and by no other', () => {
    const sealed = sealer('secret', 'console').seal(VALUE)
    expect(sealer('secret', 'console').open(sealed)).deep.equal(VALUE)
    expect(sealer('another', 'console').open(sealed)).equal(undefined)
    expect(sealer('secret', 'operators').open(sealed)).equal(undefined)
  })

  it('show nothing of what is in them, and are never twice the same', () => {
    const { seal } = sealer('secret', 'console')
    const sealed = seal(VALUE)
    expect(sealed).match(/^[\w-]+$/)
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.contain('abc')
    expect(seal(VALUE)).not.equal(sealed)
  })

  it('cannot be changed in any byte', () => {
    const { seal, open } = sealer('secret', 'console')
    const bytes = Buffer.from(seal(VALUE), 'base64url')
    for (const i of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      expect(open(changed.toString('base64url')), `byte ${i}`).equal(undefined)
    }
  })

  it('are not made of anything else', () => {
    const { open } = sealer('secret', 'console')
    for (const text of ['', 'x', 'A'.repeat(38), '{"state":"abc"}', 'A'.repeat(100_000)])
      expect(open(text), text.slice(0, 20)).equal(undefined)
  })
})
