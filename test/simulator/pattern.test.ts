import { expect } from 'chai'
import { allBut, type Pattern, PatternError, range, sampleText } from '../../simulator/pattern.ts'
import { seededRandom } from '../../simulator/random.ts'

const text = (value: string): Pattern => ({ kind: 'text', text: value })

describe('simulator/pattern', () => {
  it('repeats at most a few times above the minimum', () => {
    const many: Pattern = { kind: 'repeat', item: text('x'), min: 2, max: Number.POSITIVE_INFINITY }
    for (let seed = 0; seed < 20; seed++) expect(sampleText(many, seededRandom(seed))).match(/^x{2,5}$/)
  })

  it('ends a recursion, and fails if it has no end', () => {
    const rule: Pattern = { kind: 'rule', name: 'r' }
    const out: Pattern = { kind: 'either', items: [{ kind: 'sequence', items: [text('('), rule, rule] }, text('x')] }
    expect(() => sampleText(rule, seededRandom(0), new Map([['r', out]]))).not.throw()
    expect(() => sampleText(rule, seededRandom(0), new Map([['r', rule]]))).throw(PatternError, /never ends/)
    expect(() => sampleText(rule, seededRandom(0))).throw(PatternError, /no rule "r"/)
  })

  it('has classes of characters', () => {
    expect(range('a', 'd')).deep.equal(['a', 'b', 'c', 'd'])
    expect(range('一', '龥')).lengthOf(256)
    expect(() => range('b', 'a')).throw(PatternError)
    expect(allBut(['a']))
      .lengthOf(94)
      .not.include('a')
    expect(() => allBut(range(' ', '~'))).throw(PatternError)
  })
})
