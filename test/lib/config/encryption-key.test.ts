import { expect } from 'chai'
import { encryptionKey } from '../../../lib/config/encryption-key.ts'

describe('the key of files', () => {
  it('is the base64 of 32 bytes, and nothing else', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, byte) => 255 - byte))
    const text = key.toString('base64')
    expect(encryptionKey(text)).deep.equal(key)
    const lengths = [0, 16, 31, 33].map(length => Buffer.alloc(length).toString('base64'))
    const others = ['key', text.slice(0, -1), ` ${text}`, `${text}\n`, key.toString('base64url'), key.toString('hex')]
    for (const other of [...lengths, ...others]) expect(encryptionKey(other), other).equal(undefined)
  })
})
