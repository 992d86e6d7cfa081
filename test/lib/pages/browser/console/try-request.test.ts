import { expect } from 'chai'
import type { JsonObject } from '../../../../../lib/base/json.ts'

const MODULE = new URL('../../../../../lib/pages/browser/console/try-request.js', import.meta.url)

interface Conversation {
  add(prompt: string, answers: readonly string[]): void
  clear(): void
  messages(column: number): readonly JsonObject[]
}
interface Module {
  readonly Conversation: new () => Conversation
  bodyOf(request: JsonObject): JsonObject
}

describe('requests of the page Try it', () => {
  let browser: Module
  before(async () => {
    browser = (await import(MODULE.href)) as Module
  })

  it('have the turns of their own column', () => {
    const conversation = new browser.Conversation()
    conversation.add('one', ['a', 'b'])
    conversation.add('two', ['c', ''])
    conversation.add('failed', ['', ''])
    const text = (column: number) => conversation.messages(column).map(({ content }) => content)
    expect(text(0)).deep.equal(['one', 'a', 'two', 'c'])
    expect(text(1), 'without an answer, that of the other column').deep.equal(['one', 'b', 'two', 'c'])
    expect(conversation.messages(0).map(({ role }) => role)).deep.equal(['user', 'assistant', 'user', 'assistant'])
    conversation.clear()
    expect(text(0)).deep.equal([])
  })

  it('have only the settings that were entered', () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const none = { system: '', temperature: '', maxTokens: '', effort: '' }
    expect(browser.bodyOf({ model: 'm', canReason: true, settings: none, messages })).deep.equal({
      ...{ model: 'm', messages, stream: true },
    })
    const all = { system: 'Be brief.', temperature: '0', maxTokens: '10', effort: 'low' }
    expect(browser.bodyOf({ model: 'm', canReason: true, settings: all, messages })).deep.equal({
      ...{ model: 'm', messages: [{ role: 'system', content: 'Be brief.' }, ...messages], stream: true },
      ...{ temperature: 0, max_tokens: 10, reasoning_effort: 'low' },
    })
    expect(browser.bodyOf({ model: 'm', canReason: false, settings: all, messages })).not.property('reasoning_effort')
  })
})
