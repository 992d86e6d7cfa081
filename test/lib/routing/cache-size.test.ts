import { expect } from 'chai'
import { type CacheReport, CacheSize } from '../../../lib/routing/cache-size.ts'

const missed: CacheReport = { expected: 10, remembered: 10, reported: 0, wasOld: true }
const found: CacheReport = { expected: 0, remembered: 10, reported: 10, wasOld: false }

describe('CacheSize', () => {
  it('is as configured, otherwise as reported by the engine, otherwise learnt', () => {
    const size = new CacheSize()
    expect([size.tokens, size.source]).deep.equal([400_000, 'replies'])
    size.setReported(100_000)
    expect([size.tokens, size.source]).deep.equal([100_000, 'engine'])
    size.setConfigured(50_000)
    expect([size.tokens, size.source, size.reported]).deep.equal([50_000, 'set', 100_000])
  })

  it('shrinks from the size of the index if old chunks were expected and missing', () => {
    const size = new CacheSize()
    expect([size.count, size.movedAt]).deep.equal([0, 0])
    expect(size.learn(missed, 200_000, 7)).equal(true)
    expect([size.count, size.movedAt]).deep.equal([1, 7])
    expect(size.tokens).closeTo(200_000 / 1.15, 1)
  })

  it('grows if chunks were cached that counted as evicted', () => {
    const size = new CacheSize()
    size.learn(found, 400_000, 7)
    expect(size.tokens).closeTo(460_000, 1)
  })

  it('changes less with each reply, and stays within bounds', () => {
    const size = new CacheSize()
    for (let i = 0; i < 1000; i++) size.learn(found, 400_000, 7)
    expect(size.tokens).equal(4_000_000)
    size.learn(missed, 4_000_000, 7)
    expect(size.tokens).closeTo(4_000_000 / 1.03, 1)
    for (let i = 0; i < 1000; i++) size.learn(missed, size.tokens, 7)
    expect(size.tokens).equal(8000)
  })

  it('does not change if a block or a quarter is missing', () => {
    const size = new CacheSize()
    const learns = (expected: number, reported: number) =>
      size.learn({ expected, remembered: expected, reported, wasOld: true }, 400_000, 7)
    expect([learns(2, 0), learns(40, 30), learns(40, 28.5)]).deep.equal([false, false, false])
    expect([learns(3, 0), learns(40, 27)]).deep.equal([true, true])
  })

  it('does not change for young chunks, for expected hits, or if the size is known', () => {
    const size = new CacheSize()
    expect(size.learn({ ...missed, wasOld: false }, 400_000, 7)).equal(false)
    expect(size.learn({ expected: 10, remembered: 10, reported: 9.5, wasOld: true }, 400_000, 7)).equal(false)
    size.setReported(100_000)
    expect(size.learn(missed, 400_000, 7)).equal(false)
    expect(size.tokens).equal(100_000)
  })
})
