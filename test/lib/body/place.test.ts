import { expect } from 'chai'
import { MAX_DEPTH, MAX_VALUES } from '../../../lib/body/parse.ts'
import { Place, SHORTEST_TEXT, SHORTEST_URL } from '../../../lib/body/place.ts'
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
    ]
    for (const [steps, shortest] of cases) expect(at(...steps).shortest(), steps.join(' ')).equal(shortest)
  })

  it('leaves names, what rules look at, and JSON inside of strings', () => {
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
      [...message, 'content', ','],
      [...message, 'tool_calls', '[', '{', 'function', '{', 'arguments'],
      [...message, 'content', '[', '{', 'input', '{', 'content'],
      [...message, 'content', '[', '{', 'input', '{', 'content', '[', '{', 'text'],
      [...message, 'content', '[', '{', '}', ',', '{', 'input', '[', '{', 'text'],
      ['{', 'messages', '[', '{', '}', '}', ',', 'regex'],
    ]
    for (const steps of cases) expect(at(...steps).shortest(), steps.join(' ')).equal(0)
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
