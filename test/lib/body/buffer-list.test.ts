import { expect } from 'chai'
import fc from 'fast-check'
import { BufferList } from '../../../lib/body/buffer-list.ts'
import { listText } from '../../support/bodies.ts'

const SOURCE = Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(1000))

describe('body/buffer-list', () => {
  it('holds what was added, in its order, however many parts that makes', () => {
    const part = fc.record({ copied: fc.boolean(), from: fc.nat({ max: 20_000 }), length: fc.nat({ max: 3000 }) })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), parts => {
        const list = new BufferList()
        let expected = ''
        for (const { copied, from, length } of parts) {
          if (copied) list.copy(SOURCE, from, from + length)
          else list.add(SOURCE, from, from + length)
          expected += SOURCE.toString('latin1', from, from + length)
        }
        expect(list.length).equal(expected.length)
        expect(listText(list)).equal(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('makes one part of what lies side by side, unless it was cut there', () => {
    const list = new BufferList()
    list.add(SOURCE, 0, 3)
    list.add(SOURCE, 3, 5)
    list.add(SOURCE, 5, 5)
    expect(list.count).equal(1)
    list.split()
    list.add(SOURCE, 5, 7)
    expect(list.count).equal(2)
    expect(list.at(0).toString()).equal('abcde')
    expect(list.at(1).toString()).equal('fg')
    for (let i = 0; i < 5000; i++) list.copy(SOURCE, i, i + 1)
    expect(list.count).equal(3)
  })

  it('does not keep what it copied', () => {
    const list = new BufferList()
    const source = Buffer.from('here')
    list.copy(source, 0, 4)
    source.fill('x')
    expect(listText(list)).equal('here')
  })

  it('takes parts of another, and writes them one by one', () => {
    const other = new BufferList()
    for (let i = 0; i < 100; i++) other.add(SOURCE, i * 10, i * 10 + 2)
    const list = new BufferList()
    list.addFrom(other, 1, 3)
    expect(listText(list)).equal('kluv')
    const block = Buffer.alloc(4, '.')
    expect(list.copyTo(1, block, 1)).equal(2)
    expect(block.toString()).equal('.uv.')
    expect(list.sizeOf(1)).equal(2)
  })
})
