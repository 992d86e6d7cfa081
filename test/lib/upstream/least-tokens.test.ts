import { expect } from 'chai'
import { markOf, newMark } from '../../../lib/body/detach.ts'
import type { DetachedTexts } from '../../../lib/body/texts.ts'
import type { Message } from '../../../lib/canonical/request.ts'
import { leastTextTokens } from '../../../lib/upstream/least-tokens.ts'
import { detachedTexts } from '../../support/bodies.ts'
import { chatRequest, textRequest } from '../../support/canonical.ts'

const ENOUGH = 10

const least = (messages: Message[], detached: DetachedTexts | null = null) =>
  leastTextTokens(chatRequest({ messages }), ENOUGH, detached)
const user = (content: string): Message => ({ role: 'user', content })
const prompt = (prompt: string | string[] | number[]) => leastTextTokens(textRequest({ prompt }), ENOUGH, null)

describe('least tokens of text', () => {
  it('are the words behind a blank, counted up to what is enough', () => {
    expect(least([user('one two\nthree 4 fifth, (sixth) seventh')])).equal(5)
    expect(least([user('word '.repeat(12))])).equal(11)
    expect(least([user('word '.repeat(1000))])).equal(11)
  })

  it('are none in what may be a single token', () => {
    for (const text of [' '.repeat(1000), 'x'.repeat(1000), '\n'.repeat(1000), '= '.repeat(1000), '水'.repeat(1000)])
      expect(least([user(text)])).equal(0)
  })

  it('are of the texts of all messages together', () => {
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

  it('are none of what an assistant has said, for templates leave out its thoughts', () => {
    expect(least([{ role: 'assistant', content: 'word '.repeat(1000) }, user('a')])).equal(0)
    expect(least([{ role: 'assistant', content: null }, user('a')])).equal(0)
  })

  it('are those of the longest prompt', () => {
    expect(prompt('word '.repeat(1000))).equal(11)
    expect(prompt(['a b c d e f g h i j k l', 'x'.repeat(100)])).equal(11)
    expect(prompt(['a b', 'c d e f g h i j'])).equal(7)
    expect(prompt([1, 2, 3])).equal(0)
  })

  it('are counted in texts that travel beside the body', () => {
    const mark = newMark()
    // A line break is two characters there, and the letter behind it is one behind a letter.
    const detached = detachedTexts(
      ['A'.repeat(70_000), 'word\\n'.repeat(20_000), 'word '.repeat(20_000)].map(text => [Buffer.from(text)]),
    )
    expect(least([user(markOf(mark, 0))], detached)).equal(0)
    expect(least([user(`word${markOf(mark, 1)}`)], detached)).equal(0)
    expect(least([user(`word${markOf(mark, 2)}`)], detached)).equal(11)
    expect(least([user('@@detached-0-99@@ a')], detached)).equal(1)
  })

  it('cost no more than the window is worth', () => {
    const long = `${'x'.repeat(20_000_000)}${' a'.repeat(20)}`
    const before = performance.now()
    expect(least([user(long)])).equal(0)
    expect(performance.now() - before).below(50)
  })
})
