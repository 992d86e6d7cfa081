import { expect } from 'chai'
import { decoderFor, refuseCoding } from '../../../lib/body/coding.ts'
import type { GatewayError } from '../../../lib/errors/errors.ts'

// read.test.ts decodes bodies.
describe('body/coding', () => {
  const refusal = (work: () => unknown): GatewayError | undefined => {
    try {
      work()
    } catch (error) {
      return error as GatewayError
    }
  }

  it('has no decoder without a coding', () => {
    for (const coding of [undefined, '', 'identity', 'Identity']) {
      const headers = { 'content-encoding': coding }
      expect(decoderFor(headers)).equal(undefined)
      expect(refusal(() => refuseCoding(headers))).equal(undefined)
    }
  })

  it('refuses with the codings that are accepted', () => {
    const unknown = refusal(() => decoderFor({ 'content-encoding': 'deflate' }))
    expect(unknown).include({
      code: 'http_415',
      message: "Content-Encoding 'deflate' is not supported: send the body with gzip, br, zstd or no coding.",
    })
    expect(unknown?.details.headers).deep.equal({ 'accept-encoding': 'gzip, br, zstd' })
    const form = refusal(() => refuseCoding({ 'content-encoding': 'gzip' }))
    expect(form?.message).contain('send the body with no coding.')
    expect(form?.details.headers).deep.equal({ 'accept-encoding': 'identity' })
  })
})
