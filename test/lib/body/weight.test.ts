import { expect } from 'chai'
import { MAX_DEPTH } from '../../../lib/body/json-limits.ts'
import { BodyScanner } from '../../../lib/body/large/scan.ts'
import { WEIGHT, weigh } from '../../../lib/body/weight.ts'
import { refusalOf } from '../../support/refusal.ts'

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`)

describe('body/weight', () => {
  it('weighs each kind of value', () => {
    expect(weigh(1)).equal(WEIGHT.value)
    expect(weigh(null)).equal(WEIGHT.value)
    expect(weigh('abcd')).equal(WEIGHT.value + WEIGHT.string + 4)
    expect(weigh([])).equal(WEIGHT.value + WEIGHT.array)
    expect(weigh([1, 2])).equal(3 * WEIGHT.value + WEIGHT.array)
    expect(weigh({ a: {} })).equal(2 * (WEIGHT.value + WEIGHT.object) + WEIGHT.member)
  })

  it('refuses what is nested too deep, however it is nested', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect(weigh(nested(MAX_DEPTH, open, close))).above(0)
      const deep = nested(MAX_DEPTH + 1, open, close)
      expect(refusalOf(() => weigh(deep))).include({ code: 'schema_validation_failed' })
    }
    const deepest = nested(100_000, '[', ']')
    expect(refusalOf(() => weigh(deepest))).include({ code: 'schema_validation_failed' })
  })

  it('is about the same for a body that is weighed while it arrives', () => {
    for (const value of [
      { a: Array(5000).fill({}) },
      { a: Array(5000).fill({ b: 'text', c: [1, 2, 3] }) },
      { a: Array(5000).fill('a text of some length') },
      Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
    ]) {
      const scanner = new BodyScanner({ detaches: false })
      scanner.feed(Buffer.from(JSON.stringify(value)))
      expect(scanner.end().weight / weigh(value)).within(0.75, 1.25)
    }
  })
})
