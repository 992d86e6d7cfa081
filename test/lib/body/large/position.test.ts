import { expect } from 'chai'
import { MAX_DEPTH, MAX_VALUES, MAX_WEIGHT } from '../../../../lib/body/json-limits.ts'
import { Position, SHORTEST } from '../../../../lib/body/large/position.ts'
import { WEIGHT } from '../../../../lib/body/weight.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** A position inside these containers: `{` and `[` open one, a name moves to that member. */
const at = (...steps: readonly string[]) => {
  const position = new Position()
  for (const step of steps) {
    if (step === '{' || step === '[') position.open(step === '{')
    else if (step === '}') position.close()
    else if (step === ',') position.comma()
    else position.named(step)
  }
  return position
}

describe('body/large/position', () => {
  it('knows the texts of a conversation', () => {
    const message = ['{', 'messages', '[', '{'] as const
    const cases: readonly [readonly string[], number][] = [
      [['{', 'prompt'], SHORTEST.text],
      [['{', 'input'], SHORTEST.text],
      [['{', 'prompt', '['], SHORTEST.text],
      [['{', 'documents', '['], SHORTEST.text],
      [['{', 'items', '['], SHORTEST.text],
      [['{', 'query'], SHORTEST.text],
      [['{', 'text_1'], SHORTEST.text],
      [['{', 'text_2', '['], SHORTEST.text],
      [[...message, 'content'], SHORTEST.text],
      [[...message, 'content', '[', '{', 'text'], SHORTEST.text],
      [[...message, 'content', '[', '{', 'type', ',', 'text'], SHORTEST.text],
      [[...message, 'content', '[', '{', 'image_url', '{', 'url'], SHORTEST.url],
      [['{', 'input', '[', '{', 'output', '[', '{', 'text'], SHORTEST.text],
      [['{', 'system', '[', '{', 'text'], SHORTEST.text],
      [[...message, 'tool_calls', '[', '{', 'function', '{', 'arguments'], SHORTEST.json],
      [[...message, 'content', '[', '{', 'input', '{', 'content'], SHORTEST.json],
      [[...message, 'content', '[', '{', 'input', '{', 'any', '[', '{', 'name'], SHORTEST.json],
      [[...message, 'content', '[', '{', 'input', '['], SHORTEST.json],
    ]
    for (const [steps, shortest] of cases) expect(at(...steps).shortest(), steps.join(' ')).equal(shortest)
  })

  it('leaves names, and what rules look at', () => {
    const message = ['{', 'messages', '[', '{'] as const
    const cases: readonly (readonly string[])[] = [
      [],
      ['['],
      ['{'],
      ['{', 'model'],
      ['{', 'regex'],
      ['{', 'content'],
      ['{', 'tools', '[', '{', 'description'],
      ['{', 'tools', '[', '{', 'content', '[', '{', 'text'],
      [...message],
      [...message, 'role'],
      [...message, 'content', '[', '{', 'input'],
      [...message, 'content', '[', '{', 'input', '{'],
      [...message, 'content', ','],
      ['{', 'messages', '[', '{', '}', '}', ',', 'regex'],
    ]
    for (const steps of cases) expect(at(...steps).shortest(), steps.join(' ')).equal(0)
  })

  it('knows what is escaped twice', () => {
    const block = ['{', 'messages', '[', '{', 'content', '[', '{'] as const
    for (const steps of [
      ['input', '{', 'a'],
      ['input', '[', '{', 'a'],
      ['input', '{', 'a', '{', '}', ',', 'b'],
    ])
      expect(at(...block, ...steps).isEscapedTwice, steps.join(' ')).equal(true)
    for (const steps of [['text'], ['input', '{', '}', ',', 'text'], ['content', '[']])
      expect(at(...block, ...steps).isEscapedTwice, steps.join(' ')).equal(false)
    expect(at('{', 'input', '[', '{', 'content', '[').isEscapedTwice).equal(false)
  })

  it('knows where containers are found', () => {
    const position = at('{', 'messages', '[', '{', '\u00c3\u00a9', '{', '', '[')
    expect(position.depth).equal(5)
    expect([1, 2, 3, 4, 5].map(depth => position.isObject(depth))).deep.equal([true, false, true, true, false])
    expect([1, 2, 3, 4, 5].map(depth => position.nameOf(depth))).deep.equal([null, '"messages"', null, '"é"', null])
  })

  it('goes back to the container around', () => {
    const steps = ['{', 'messages', '[', '{', 'content', '[', '{', 'text', '}', '}', ',', 'refusal']
    expect(at(...steps).shortest()).equal(SHORTEST.text)
    expect(at(...steps, '}', '}', '}', '}', '}', '}').shortest()).equal(0)
  })

  it('refuses too deep and too many', () => {
    const position = new Position()
    for (let i = 0; i < MAX_DEPTH; i++) position.open(i % 2 === 0)
    expect(refusalOf(() => position.open(true))).include({ code: 'schema_validation_failed' })
    const list = new Position()
    list.open(false)
    while (list.values < MAX_VALUES) list.comma()
    expect(refusalOf(() => list.comma())).include({ code: 'schema_validation_failed' })
    const names = new Position()
    names.open(true)
    while (names.weight + WEIGHT.member <= MAX_WEIGHT) names.named('a')
    expect(refusalOf(() => names.named('a'))).include({ code: 'schema_validation_failed' })
  })

  it('counts objects for what they weigh, not for one value', () => {
    const pairs = (open: boolean | undefined) => {
      const list = new Position()
      list.open(false)
      for (let i = 0; i < 1000; i++) {
        if (open !== undefined) {
          list.open(open)
          list.close()
        }
        list.comma()
      }
      return list.weight
    }
    expect(pairs(false)).above(2 * pairs(undefined))
    expect(pairs(true)).above(pairs(false))
  })
})
