import { expect } from 'chai'
import { opened, SEAL_BYTES, Sealing } from '../../../lib/files/sealing.ts'

describe('files/sealing', () => {
  const sealing = new Sealing(Buffer.alloc(32, 7))
  const text = Buffer.from('the secret of a customer')

  it('opens what it sealed, with a fresh nonce each time', () => {
    for (const bytes of [text, Buffer.alloc(0)]) {
      const [one, two] = [sealing.seal(bytes, 'here'), sealing.seal(bytes, 'here')]
      expect(one).length(bytes.length + SEAL_BYTES)
      expect(one.subarray(0, 12)).not.deep.equal(two.subarray(0, 12))
      for (const sealed of [one, two]) expect(sealing.open(sealed, 'here')).deep.equal(bytes)
      expect(one.includes('secret')).equal(false)
    }
  })

  it('opens nothing that was changed, cut or moved, or sealed with another key', () => {
    const sealed = sealing.seal(text, 'here')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => sealing.open(changed, 'here'), `byte ${at}`).throw('was changed')
      expect(() => sealing.open(sealed.subarray(0, at), 'here'), `${at} bytes`).throw('was changed')
    }
    expect(() => sealing.open(sealed, 'there')).throw('was changed')
    expect(() => new Sealing(Buffer.alloc(32)).open(sealed, 'here')).throw('is another one')
    expect(() => opened(null, sealed, 'here')).throw('is not configured')
  })
})
