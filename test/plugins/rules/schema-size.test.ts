import { expect } from 'chai'
import type { Json } from '../../../lib/plugin.ts'
import { MAX_SCHEMA_DEPTH, valuesLeft } from '../../../plugins/rules/schema-size.ts'

const nested = (depth: number): Json => (depth === 0 ? 1 : { not: nested(depth - 1) })

describe('remaining values for schemas', () => {
  it('are fewer by one for every value', () => {
    expect(valuesLeft(undefined, 10)).equal(9)
    expect(valuesLeft({ a: [1, 'b', null], c: {} }, 10)).equal(4)
  })

  it('are negative when there are more values, however many', () => {
    expect(valuesLeft([1, 2], 2)).lessThan(0)
    expect(valuesLeft(new Array<number>(1_000_000).fill(1), 10)).equal(-1)
    expect(valuesLeft(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, i])), 10)).equal(-1)
  })

  it('are negative when the values are nested too deep', () => {
    expect(valuesLeft(nested(MAX_SCHEMA_DEPTH), 1000)).least(0)
    expect(valuesLeft(nested(MAX_SCHEMA_DEPTH + 1), 1000)).equal(-1)
  })
})
