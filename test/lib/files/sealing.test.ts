import { expect } from 'chai'
import { opened, SEAL_BYTES, Sealing } from '../../../lib/files/sealing.ts'

describe('files/sealing', () => {
  const sealing = new Sealing(Buffer.alloc(32, 7))
  const text = Buffer.from('the secret of a customer')
  const sealed = (bytes: Buffer) => Buffer.concat(sealing.seal(bytes, 'here'))

  it('opens what it sealed, with a fresh nonce each time', () => {
    for (const bytes of [text, Buffer.alloc(0)]) {
      const [one, two] = [sealed(bytes), sealed(bytes)] as [Buffer, Buffer]
      expect(one).length(bytes.length + SEAL_BYTES)
      expect(one.subarray(0, 12)).not.deep.equal(two.subarray(0, 12))
      for (const each of [one, two]) expect(sealing.open(each, 'here')).deep.equal(bytes)
      expect(one.includes('secret')).equal(false)
    }
  })

  it('opens nothing that was changed, cut or moved, or sealed with another key', () => {
    const whole = sealed(text)
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 1
      expect(() => sealing.open(changed, 'here'), `byte ${at}`).throw('was changed')
      expect(() => sealing.open(whole.subarray(0, at), 'here'), `${at} bytes`).throw('was changed')
    }
    expect(() => sealing.open(whole, 'there')).throw('was changed')
    expect(() => new Sealing(Buffer.alloc(32)).open(whole, 'here')).throw('is another one')
    expect(() => opened(null, whole, 'here')).throw('is not configured')
  })
})
