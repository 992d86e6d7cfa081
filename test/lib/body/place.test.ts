import { expect } from 'chai'
import { MAX_DEPTH, MAX_VALUES } from '../../../lib/body/parse.ts'
import { Place, SHORTEST_JSON, SHORTEST_TEXT, SHORTEST_URL } from '../../../lib/body/place.ts'
import { refusalOf } from '../../support/refusal.ts'

/** A place inside of these: `{` and `[` open, a name goes on to that member. */
const at = (...steps: readonly string[]) => {
  const place = new Place()
  for (const step of steps) {
    if (step === '{' || step === '[') place.open(step === '{')
    else if (step === '}') place.close()
    else if (step === ',') place.comma()
    else place.named(step)
  }
  return place
}

describe('body/place', () => {
  it('knows the texts of a conversation', () => {
    const message = ['{', 'messages', '[', '{'] as const
    const cases: readonly [readonly string[], number][] = [
      [['{', 'prompt'], SHORTEST_TEXT],
      [['{', 'input'], SHORTEST_TEXT],
      [['{', 'prompt', '['], SHORTEST_TEXT],
      [[...message, 'content'], SHORTEST_TEXT],
      [[...message, 'content', '[', '{', 'text'], SHORTEST_TEXT],
      [[...message, 'content', '[', '{', 'type', ',', 'text'], SHORTEST_TEXT],
      [[...message, 'content', '[', '{', 'image_url', '{', 'url'], SHORTEST_URL],
      [['{', 'input', '[', '{', 'output', '[', '{', 'text'], SHORTEST_TEXT],
      [['{', 'system', '[', '{', 'text'], SHORTEST_TEXT],
      [[...message, 'tool_calls', '[', '{', 'function', '{', 'arguments'], SHORTEST_JSON],
      [[...message, 'content', '[', '{', 'input', '{', 'content'], SHORTEST_JSON],
      [[...message, 'content', '[', '{', 'input', '{', 'any', '[', '{', 'name'], SHORTEST_JSON],
      [[...message, 'content', '[', '{', 'input', '['], SHORTEST_JSON],
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
    const place = at('{', 'messages', '[', '{', '\u00c3\u00a9', '{', '', '[')
    expect(place.depth).equal(5)
    expect([1, 2, 3, 4, 5].map(depth => place.isObject(depth))).deep.equal([true, false, true, true, false])
    expect([1, 2, 3, 4, 5].map(depth => place.nameOf(depth))).deep.equal([null, '"messages"', null, '"é"', null])
  })

  it('goes back to the container around', () => {
    const steps = ['{', 'messages', '[', '{', 'content', '[', '{', 'text', '}', '}', ',', 'refusal']
    expect(at(...steps).shortest()).equal(SHORTEST_TEXT)
    expect(at(...steps, '}', '}', '}', '}', '}', '}').shortest()).equal(0)
  })

  it('refuses too deep and too many', () => {
    const place = new Place()
    for (let i = 0; i < MAX_DEPTH; i++) place.open(i % 2 === 0)
    expect(refusalOf(() => place.open(true))).include({ code: 'schema_validation_failed' })
    const list = new Place()
    list.open(false)
    for (let i = 2; i < MAX_VALUES; i++) list.comma()
    expect(refusalOf(() => list.comma())).include({ code: 'schema_validation_failed' })
  })
})
