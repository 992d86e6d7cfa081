import { expect } from 'chai'
import { ErrorResponse } from '../../../lib/upstream/error-response.ts'

describe('upstream/error-response', () => {
  it('is status, headers and text, however it is cut', () => {
    const response = new ErrorResponse(429, { 'retry-after': '1' })
    for (const byte of Buffer.from('{"é":1}')) expect(response.add(Buffer.of(byte))).equal(true)
    expect(response.received).deep.equal({ status: 429, headers: { 'retry-after': '1' }, bodyText: '{"é":1}' })
  })

  it('keeps 64 KiB of a body', () => {
    const response = new ErrorResponse(500, {})
    for (let i = 0; i < 64; i++) expect(response.add(Buffer.alloc(1024, 'x'))).equal(true)
    expect(response.add(Buffer.alloc(1, 'y'))).equal(false)
    expect(response.received.bodyText).equal('x'.repeat(64 * 1024))
  })
})
