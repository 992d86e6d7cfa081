import { expect } from 'chai'
import { storeUnavailable, whenKnown } from '../../../lib/limits/limits.ts'

describe('whenKnown', () => {
  it('continues at once with a value', () => {
    const seen: number[] = []
    expect(whenKnown(1, value => void seen.push(value))).equal(undefined)
    expect(seen).deep.equal([1])
  })

  it('continues later with a promise', async () => {
    const seen: number[] = []
    const done = whenKnown(Promise.resolve(1), value => void seen.push(value))
    expect(seen).empty
    await done
    expect(seen).deep.equal([1])
  })

  it('passes a rejection on', async () => {
    const refuse = () => {
      throw storeUnavailable()
    }
    expect(() => whenKnown(1, refuse)).throw()
    const rejected = await Promise.resolve(whenKnown(Promise.resolve(1), refuse)).catch(error => error as Error)
    expect(rejected).instanceOf(Error)
  })
})

describe('storeUnavailable', () => {
  it('is a 503, not an error of the client', () => {
    const { code, status, type, details } = storeUnavailable()
    expect({ code, status, type }).deep.equal({ code: 'internal_error', status: 503, type: 'internal_error' })
    expect(details.headers).deep.equal({ 'retry-after': '2' })
  })
})
