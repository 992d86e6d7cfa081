import { expect } from 'chai'
import fc from 'fast-check'
import { weigh } from '../../../lib/body/weigh.ts'
import type { Json } from '../../../lib/json.ts'

const weightOf = (text: string, values = 1e9, depth = 1e9) => weigh(Buffer.from(text), values, depth)

const valuesOf = (value: Json | undefined): number => {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + valuesOf(member), 1)
}

const depthOf = (value: Json | undefined): number => {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('the weight of a JSON text', () => {
  it('is never less than what it becomes, and at most twice as much', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), text => {
        const value = JSON.parse(text) as Json
        const { values, depth } = weightOf(text)
        expect(depth).equal(depthOf(value))
        expect(values).within(valuesOf(value), 2 * valuesOf(value))
      }),
      { numRuns: 500 },
    )
  })

  it('does not count what stands in strings', () => {
    expect(weightOf('{"a":"[,{\\",[,\\\\"}')).deep.equal({ values: 2, depth: 1 })
    expect(weightOf('"\\\\",[')).deep.equal({ values: 3, depth: 1 })
  })

  it('is known before the end where it is too much', () => {
    expect(weightOf('['.repeat(1e6), 1e9, 128).depth).equal(129)
    expect(weightOf(`[${'0,'.repeat(1e6)}`, 1000).values).equal(1001)
    expect(weightOf('[],'.repeat(1e6), 1000).values).equal(1001)
  })

  it('of a text that is no JSON ends all the same', () => {
    for (const text of ['', '"', '"\\', '"abc', ']]]]', '}', '\\"', '[{"a']) expect(weightOf(text).depth, text).least(0)
  })
})
