import { expect } from 'chai'
import fc from 'fast-check'
import { Rope } from '../../../lib/body/rope.ts'
import { ropeText } from '../../support/bodies.ts'

const SOURCE = Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(1000))

describe('body/rope', () => {
  it('holds what was added, in its order, however many parts that makes', () => {
    const part = fc.record({ copied: fc.boolean(), from: fc.nat({ max: 20_000 }), length: fc.nat({ max: 3000 }) })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), parts => {
        const rope = new Rope()
        let expected = ''
        for (const { copied, from, length } of parts) {
          if (copied) rope.copy(SOURCE, from, from + length)
          else rope.add(SOURCE, from, from + length)
          expected += SOURCE.toString('latin1', from, from + length)
        }
        expect(rope.length).equal(expected.length)
        expect(ropeText(rope)).equal(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('makes one part of what lies side by side, unless it was cut there', () => {
    const rope = new Rope()
    rope.add(SOURCE, 0, 3)
    rope.add(SOURCE, 3, 5)
    rope.add(SOURCE, 5, 5)
    expect(rope.parts).equal(1)
    rope.cut()
    rope.add(SOURCE, 5, 7)
    expect(rope.parts).equal(2)
    expect(rope.at(0).toString()).equal('abcde')
    expect(rope.at(1).toString()).equal('fg')
    for (let i = 0; i < 5000; i++) rope.copy(SOURCE, i, i + 1)
    expect(rope.parts).equal(3)
  })

  it('does not keep what it copied', () => {
    const rope = new Rope()
    const source = Buffer.from('here')
    rope.copy(source, 0, 4)
    source.fill('x')
    expect(ropeText(rope)).equal('here')
  })

  it('takes parts of another, and writes them one by one', () => {
    const other = new Rope()
    for (let i = 0; i < 100; i++) other.add(SOURCE, i * 10, i * 10 + 2)
    const rope = new Rope()
    rope.addParts(other, 1, 3)
    expect(ropeText(rope)).equal('kluv')
    const block = Buffer.alloc(4, '.')
    expect(rope.write(1, block, 1)).equal(2)
    expect(block.toString()).equal('.uv.')
    expect(rope.sizeOf(1)).equal(2)
  })
})
