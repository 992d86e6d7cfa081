import { expect } from 'chai'
import type { Message } from '../../../lib/canonical/request.ts'
import { leastTextTokens } from '../../../lib/engines/least-tokens.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest, textRequest } from '../../support/canonical.ts'
import { expectBounded } from '../../support/cost.ts'

const ENOUGH = 10

const least = (messages: Message[]) => leastTextTokens(chatRequest({ messages }), ENOUGH)
const EVERY_TEXT = { shortest: 1, startBytes: 0 }
const leastOfLarge = (...texts: string[]) =>
  leastTextTokens(lazyRequest(chatRequest({ messages: texts.map(user) }), EVERY_TEXT), ENOUGH)
const user = (content: string): Message => ({ role: 'user', content })
const prompt = (prompt: string | string[] | number[]) => leastTextTokens(textRequest({ prompt }), ENOUGH)

describe('least tokens of text', () => {
  it('are the words after a blank, counted up to a limit', () => {
    expect(least([user('one two\nthree 4 fifth, (sixth) seventh')])).equal(5)
    expect(least([user('word '.repeat(12))])).equal(11)
    expect(least([user('word '.repeat(1000))])).equal(11)
  })

  it('are zero in a text that may be a single token', () => {
    for (const text of [' '.repeat(1000), 'x'.repeat(1000), '\n'.repeat(1000), '= '.repeat(1000), '水'.repeat(1000)])
      expect(least([user(text)])).equal(0)
  })

  it('are counted in the texts of all messages together', () => {
    const words = 'a b c d e f '
    expect(least([{ role: 'system', content: words }, user(words)])).equal(10)
    expect(least([{ role: 'tool', toolCallId: 'a', content: words + words }])).equal(11)
    const parts: Message = {
      role: 'user',
      content: [
        { type: 'text', text: words + words },
        { type: 'image', url: `data:image/png;base64,${' a'.repeat(100)}` },
      ],
    }
    expect(least([parts])).equal(11)
  })

  it('do not include messages of the assistant, because templates may drop reasoning', () => {
    expect(least([{ role: 'assistant', content: 'word '.repeat(1000) }, user('a')])).equal(0)
    expect(least([{ role: 'assistant', content: null }, user('a')])).equal(0)
  })

  it('are those of the longest prompt', () => {
    expect(prompt('word '.repeat(1000))).equal(11)
    expect(prompt(['a b c d e f g h i j k l', 'x'.repeat(100)])).equal(11)
    expect(prompt(['a b', 'c d e f g h i j'])).equal(7)
    expect(prompt([1, 2, 3])).equal(0)
  })

  it('are counted in the long texts of a large body', () => {
    expect(leastOfLarge('A'.repeat(70_000))).equal(0)
    expect(leastOfLarge('word\n'.repeat(20_000))).equal(11)
    expect(leastOfLarge('word '.repeat(20_000))).equal(11)
    expect(leastOfLarge(`${' a'.repeat(4)}${'x'.repeat(100)}`, `${' b'.repeat(3)}${'x'.repeat(100)}`)).equal(7)
    const batch = (...prompt: string[]) => leastTextTokens(lazyRequest(textRequest({ prompt })), ENOUGH)
    expect(batch('word '.repeat(20_000), 'a b')).equal(11)
    expect(leastTextTokens(lazyRequest(textRequest({ prompt: 'word '.repeat(20_000) })), ENOUGH)).equal(11)
  })

  it('scan no more than the window requires', () => {
    const long = (size: number) => user(`${'x'.repeat(size)}${' a'.repeat(20)}`)
    expect(least([long(20_000_000)])).equal(0)
    expectBounded({ make: long, work: message => least([message]) }, 2_500_000)
  })
})
