import { expect } from 'chai'
import { sha256 } from '../../../lib/base/sha256.ts'

describe('sha256', () => {
  it('is the digest in lower-case hex', () => {
    // FIPS 180-2, appendix B.1.
    expect(sha256('abc')).equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
