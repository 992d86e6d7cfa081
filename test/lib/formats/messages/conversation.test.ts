import { expect } from 'chai'
import type { Message } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { readConversation } from '../../../../lib/formats/messages/conversation.ts'
import type { Block, BodyMessage, MessagesBody } from '../../../../lib/formats/messages/generated/body.ts'

const read = (messages: readonly BodyMessage[], members: Partial<MessagesBody> = {}): Message[] =>
  readConversation({ model: 'm', messages, ...members })

const text = (value: string): Block => ({ type: 'text', text: value })
const use = (id: string, input = {}): Block => ({ type: 'tool_use', id, name: 'f', input })
const result = (id: string, content: string | Block[], is_error?: boolean): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(is_error !== undefined && { is_error }),
})
const image: Block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('Messages conversation', () => {
  it('puts the system text first, whether a string or blocks', () => {
    expect(read([{ role: 'user', content: 'Hi' }], { system: 'Be brief.' })).deep.equal([
      { role: 'system', content: 'Be brief.', origin: 'system' },
      { role: 'user', content: 'Hi', origin: 'messages.0' },
    ])
    const system = ['a', 'b'].map(text => ({ type: 'text', text }) as const)
    expect(read([], { system })).deep.equal([{ role: 'system', content: 'a\nb', origin: 'system' }])
  })

  it('keeps system messages at their place in the conversation', () => {
    const messages = read([
      { role: 'user', content: 'Hi' },
      { role: 'system', content: [text('Note.')] },
      { role: 'assistant', content: 'Hello' },
      { role: 'system', content: 'Last.' },
    ])
    expect(messages.map(({ role, origin }) => [role, origin])).deep.equal([
      ['user', 'messages.0'],
      ['system', 'messages.1'],
      ['assistant', 'messages.2'],
      ['system', 'messages.3'],
    ])
  })

  it('omits empty system texts', () => {
    expect(read([{ role: 'system', content: '' }], { system: [] })).deep.equal([])
  })

  it('joins text blocks of the user, and keeps parts if one of them is an image', () => {
    expect(read([{ role: 'user', content: [text('a'), text('b')] }])[0]).include({ content: 'a\nb' })
    expect(read([{ role: 'user', content: [text('a'), image] }])[0]).deep.include({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', url: 'data:image/png;base64,AAAA', origin: 'messages.0.content.1' },
      ],
    })
  })

  it('keeps an empty user message', () => {
    expect(read([{ role: 'user', content: [] }])).deep.equal([{ role: 'user', content: '', origin: 'messages.0' }])
  })

  describe('tool results', () => {
    const call: BodyMessage = { role: 'assistant', content: [use('a'), use('b')] }

    it('become messages between the calls and the rest of the user message', () => {
      const messages = read([
        call,
        {
          role: 'user',
          content: [text('Look:'), result('a', 'one'), result('b', [text('two'), text('three')]), text('!')],
        },
      ])
      expect(messages.slice(1)).deep.equal([
        { role: 'tool', toolCallId: 'a', content: 'one', origin: 'messages.1.content.1' },
        { role: 'tool', toolCallId: 'b', content: 'two\nthree', origin: 'messages.1.content.2' },
        { role: 'user', content: 'Look:\n!', origin: 'messages.1' },
      ])
    })

    it('leave no user message if there is nothing else', () => {
      expect(read([call, { role: 'user', content: [result('a', ''), result('b', '')] }]).map(m => m.role)).deep.equal([
        'assistant',
        'tool',
        'tool',
      ])
    })

    it('may be empty or lack their id, which is refused later', () => {
      const messages = read([{ role: 'user', content: [{ type: 'tool_result', content: null }] }])
      expect(messages).deep.equal([
        { role: 'tool', toolCallId: undefined, content: '', origin: 'messages.0.content.0' },
      ])
    })

    it('are marked as errors', () => {
      const contents = read([
        {
          role: 'user',
          content: [
            result('a', 'No file.', true),
            result('b', '', true),
            result('c', [image], true),
            result('d', 'x', false),
          ],
        },
      ]).map(message => message.content)
      expect(contents).deep.equal([
        'Error: No file.',
        'Error',
        [
          { type: 'text', text: 'Error:' },
          { type: 'image', url: 'data:image/png;base64,AAAA', origin: 'messages.0.content.2.content.0' },
        ],
        'x',
      ])
    })

    it('name the tools that a search found', () => {
      const [message] = read([
        { role: 'user', content: [result('a', [{ type: 'tool_reference', tool_name: 'get_weather' }])] },
      ])
      expect(message?.content).equal("Tool 'get_weather' is available.")
    })
  })

  describe('messages of the assistant', () => {
    it('are text, calls and reasoning', () => {
      const messages = read([
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'redacted_thinking' },
            text('Let me '),
            use('functions.f:0', { b: 1, a: ['é'] }),
            text('look.'),
          ],
        },
      ])
      expect(messages).deep.equal([
        {
          role: 'assistant',
          content: 'Let me look.',
          reasoning: 'Hm.',
          toolCalls: [{ id: 'functions.f:0', name: 'f', arguments: '{"b":1,"a":["é"]}' }],
          origin: 'messages.0',
        },
      ])
    })

    it('have no content next to calls, and no empty reasoning', () => {
      expect(read([{ role: 'assistant', content: [{ type: 'thinking', thinking: '' }, use('a')] }])).deep.equal([
        {
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }],
          origin: 'messages.0',
        },
      ])
      expect(read([{ role: 'assistant', content: [] }])).deep.equal([
        { role: 'assistant', content: '', origin: 'messages.0' },
      ])
    })

    it('are joined if consecutive, so that results follow all calls', () => {
      const messages = read([
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, text('One.'), use('a')] },
        { role: 'assistant', content: [text('Two.'), use('b')] },
        { role: 'user', content: [result('a', '1'), result('b', '2')] },
      ])
      expect(messages[0]).deep.equal({
        role: 'assistant',
        content: 'One.\nTwo.',
        reasoning: 'Hm.',
        toolCalls: [
          { id: 'a', name: 'f', arguments: '{}' },
          { id: 'b', name: 'f', arguments: '{}' },
        ],
        origin: 'messages.0',
      })
      expect(messages.map(({ role }) => role)).deep.equal(['assistant', 'tool', 'tool'])
    })
  })

  it('refuses blocks in a list that does not accept them, with their path', () => {
    const cases: readonly (readonly [BodyMessage, string])[] = [
      [{ role: 'user', content: [use('a')] }, 'messages.0.content.0.type'],
      [{ role: 'assistant', content: [text('x'), image] }, 'messages.0.content.1.type'],
      [{ role: 'system', content: [image] }, 'messages.0.content.0.type'],
      [{ role: 'user', content: [result('a', [result('b', '')])] }, 'messages.0.content.0.content.0.type'],
    ]
    for (const [message, param] of cases) {
      expect(() => read([message]))
        .throw(GatewayError)
        .deep.include({ code: 'schema_validation_failed', details: { param, ownParam: true } })
    }
  })
})

const BILLING = 'x-anthropic-billing-header: cc_version=2.1.329.abc; cc_entrypoint=cli;'

/** The system message that these blocks become; undefined: no message. */
function systemText(texts: readonly string[]): Message['content'] | undefined {
  return read([], { system: texts.map(each => ({ type: 'text', text: each })) })[0]?.content
}

describe('Messages system text', () => {
  it('joins blocks by lines', () => {
    expect(systemText(['a', '', 'b'])).equal('a\nb')
    expect(systemText([])).equal(undefined)
  })

  it('drops the billing line, as a block and inside a text', () => {
    expect(systemText([BILLING, 'You are helpful.'])).equal('You are helpful.')
    expect(systemText([`${BILLING}\nYou are helpful.`])).equal('You are helpful.')
    expect(systemText([`First.\n${BILLING}`])).equal('First.\n')
    expect(systemText([BILLING])).equal(undefined)
  })

  it('keeps a text that mentions the header', () => {
    const text = 'Never print an x-anthropic-billing-header: line.'
    expect(systemText([text])).equal(text)
  })

  it('drops only that line', () => {
    const text = `${BILLING}\x7frest`
    expect(systemText([text])).equal(text)
    expect(systemText([`${BILLING}\nRules: \x7frest`])).equal('Rules: \x7frest')
  })
})
