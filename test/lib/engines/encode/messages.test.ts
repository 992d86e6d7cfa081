import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Message, ToolCall } from '../../../../lib/canonical/request.ts'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { wireMessages } from '../../../../lib/engines/encode/messages.ts'
import { expectLinear } from '../../../support/cost.ts'

const MERGING = PROFILES.vllm
const INLINE = { ...PROFILES.vllm, system_inline: true }

function sent(messages: readonly Message[], profile = MERGING, preserve = false): JsonObject[] {
  return wireMessages(messages, preserve, profile)
}

const call = (id: string): ToolCall => ({ id, name: 'f', arguments: '{}' })
const asks = (...ids: string[]): Message => ({ role: 'assistant', content: null, toolCalls: ids.map(call) })
const answers = (toolCallId: string): Message => ({ role: 'tool', toolCallId, content: `for ${toolCallId}` })
const says = (content: string): Message => ({ role: 'user', content })
const order = (messages: readonly JsonObject[]) =>
  messages.map(({ role, content, tool_call_id }) => tool_call_id ?? content ?? role)
const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const
const wireImage = { type: 'image_url', image_url: { url: image.url } }

describe('backend messages', () => {
  it('keeps strings and lists of parts', () => {
    const content = [
      { type: 'text' as const, text: 'Hi' },
      { ...image, detail: 'low' },
    ]
    expect(sent([says('Hi'), { role: 'user', content, name: 'bob' }])).deep.equal([
      { role: 'user', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: image.url, detail: 'low' } },
        ],
        name: 'bob',
      },
    ])
  })

  it('requests high detail of images if the engine does not accept original', () => {
    const asked = (detail: string, profile = MERGING) =>
      sent([{ role: 'user', content: [{ ...image, detail }] }], profile)[0]?.content
    const wire = (detail: string) => [{ type: 'image_url', image_url: { url: image.url, detail } }]
    expect(asked('original', PROFILES.sglang)).deep.equal(wire('high'))
    expect(asked('low', PROFILES.sglang)).deep.equal(wire('low'))
    expect(asked('original')).deep.equal(wire('original'))
  })

  it('sends only known members of a part', () => {
    const part = { type: 'text' as const, text: 'Hi', cache_control: { type: 'ephemeral' } }
    expect(sent([{ role: 'user', content: [part] }])[0]?.content).deep.equal([{ type: 'text', text: 'Hi' }])
  })

  describe('roles', () => {
    it('become system for developer', () => {
      expect(sent([{ role: 'developer', content: 'Be brief.' }])[0]?.role).equal('system')
    })

    it('stay developer if the engine accepts the role', () => {
      expect(sent([{ role: 'developer', content: 'Be brief.' }], PROFILES.openai)[0]?.role).equal('developer')
    })
  })

  describe('system messages', () => {
    const scattered: readonly Message[] = [
      says('1'),
      { role: 'system', content: 'A' },
      asks('x'),
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'B' },
          { type: 'text', text: 'C' },
        ],
      },
      answers('x'),
      { role: 'system', content: 'D' },
    ]

    it('become one leading text', () => {
      expect(order(sent(scattered))).deep.equal(['A\n\nB\nC\n\nD', '1', 'assistant', 'x'])
    })

    it('keep their place if templates allow it, but not between a call and its result', () => {
      const wire = sent(scattered, INLINE)
      expect(wire.map(({ role }) => role)).deep.equal(['user', 'system', 'assistant', 'tool', 'system', 'system'])
    })

    it('are unchanged if the only one is first', () => {
      const content = [{ type: 'text' as const, text: 'A' }]
      expect(sent([{ role: 'system', content }, says('1')])[0]).deep.equal({ role: 'system', content })
    })

    it('are merged if the first two are system messages', () => {
      const system = (content: string): Message => ({ role: 'system', content })
      expect(order(sent([system('A'), system('B'), says('1')]))).deep.equal(['A\n\nB', '1'])
    })
  })

  describe('tool results', () => {
    it('keep their place after their call', () => {
      const messages = [says('1'), asks('a', 'b'), answers('b'), answers('a'), says('2')]
      expect(order(sent(messages))).deep.equal(['1', 'assistant', 'b', 'a', '2'])
    })

    it('keep their place after many calls, or move there', () => {
      const ids = Array.from({ length: 40 }, (_, i) => `call-${i}`)
      const results = ids.map(answers)
      expect(order(sent([asks(...ids), ...results]))).deep.equal(['assistant', ...ids])
      expect(order(sent([asks(...ids), says('Hi'), ...results]))).deep.equal(['assistant', ...ids, 'Hi'])
      expect(order(sent([asks(...ids), asks('b'), answers('b'), ...results]))).deep.equal([
        'assistant',
        ...ids,
        'assistant',
        'b',
      ])
    })

    it('take time in proportion to their number', () => {
      expectLinear(
        {
          make: (size: number) => {
            const ids = Array.from({ length: size }, (_, i) => `call-${i}`)
            return [asks(...ids), ...ids.map(answers)]
          },
          work: messages => sent(messages),
        },
        2000,
      )
    })

    it('move to their call if another message is between', () => {
      const messages = [asks('a', 'b'), answers('a'), says('1'), answers('b'), asks('c'), says('2'), answers('c')]
      expect(order(sent(messages))).deep.equal(['assistant', 'a', 'b', '1', 'assistant', 'c', '2'])
    })

    it('move to the call they answer, not to the last one', () => {
      const messages = [asks('a'), says('1'), asks('b'), answers('b'), says('2'), answers('a')]
      expect(order(sent(messages))).deep.equal(['assistant', 'a', '1', 'assistant', 'b', '2'])
    })

    it('move to the call they answer if they directly follow another call', () => {
      const messages = [asks('a'), says('1'), asks('b'), answers('a'), answers('b')]
      expect(order(sent(messages))).deep.equal(['assistant', 'a', '1', 'assistant', 'b'])
    })

    it('move past a text of the assistant', () => {
      const messages: Message[] = [asks('a'), { role: 'assistant', content: 'Wait.' }, answers('a')]
      expect(order(sent(messages))).deep.equal(['assistant', 'a', 'Wait.'])
    })

    it('belong to the last call of a repeated id', () => {
      const messages = [asks('a'), answers('a'), asks('a'), says('1'), answers('a')]
      expect(order(sent(messages))).deep.equal(['assistant', 'a', 'assistant', 'a', '1'])
    })

    it('keep their place without a call', () => {
      expect(order(sent([says('1'), answers('z'), says('2')]))).deep.equal(['1', 'z', '2'])
    })

    it('move their images to the user message that follows', () => {
      const shown: Message = { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'Seen' }, image] }
      const bare: Message = { role: 'tool', toolCallId: 'b', content: [image] }
      expect(sent([asks('a', 'b'), shown, bare, says('What is it?')]).slice(1)).deep.equal([
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Seen' }] },
        { role: 'tool', tool_call_id: 'b', content: '' },
        { role: 'user', content: [wireImage, wireImage, { type: 'text', text: 'What is it?' }] },
      ])
    })

    it('move their images past a system message that is merged elsewhere, into one user message', () => {
      const bare: Message = { role: 'tool', toolCallId: 'a', content: [image] }
      const reminder: Message = { role: 'system', content: 'Mind the time.' }
      const wire = sent([says('1'), asks('a'), bare, reminder, says('2')])
      expect(wire.map(({ role }) => role)).deep.equal(['system', 'user', 'assistant', 'tool', 'user'])
      expect(wire.at(-1)?.content).deep.equal([wireImage, { type: 'text', text: '2' }])
    })

    it('stay with their call when a system message between them is merged elsewhere', () => {
      const reminder: Message = { role: 'system', content: 'Mind the time.' }
      expect(order(sent([asks('a', 'b'), answers('a'), reminder, answers('b')]))).deep.equal([
        'Mind the time.',
        'assistant',
        'a',
        'b',
      ])
    })

    it('get a user message for their images if none follows', () => {
      const bare: Message = { role: 'tool', toolCallId: 'a', content: [image] }
      const turn = { role: 'user', content: [wireImage] }
      expect(sent([asks('a'), bare]).at(-1)).deep.equal(turn)
      expect(sent([asks('a'), bare, asks('b'), answers('b')])[2]).deep.equal(turn)
    })
  })

  describe('assistant messages', () => {
    it('keep tool ids and arguments byte for byte', () => {
      const toolCalls = [{ id: 'functions.get:0', name: 'get', arguments: '{"a" : 1}}' }]
      expect(sent([{ role: 'assistant', content: null, toolCalls }])).deep.equal([
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'functions.get:0', type: 'function', function: { name: 'get', arguments: '{"a" : 1}}' } }],
        },
      ])
    })

    it('make an object of empty arguments', () => {
      const [message] = sent([{ role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'f', arguments: '' }] }])
      expect(message).nested.include({ content: '', 'tool_calls[0].function.arguments': '{}' })
    })

    it('have an empty text if they have neither text nor call', () => {
      expect(sent([{ role: 'assistant', content: null }])).deep.equal([{ role: 'assistant', content: '' }])
      expect(sent([{ role: 'assistant', content: null, toolCalls: [] }])[0]).deep.equal({
        role: 'assistant',
        content: '',
      })
    })
  })

  // docs/api/chat-completions.md#reasoning
  describe('reasoning of earlier turns', () => {
    const thinking: Message = { role: 'assistant', content: 'Yes.', reasoning: 'Hm' }

    it('is dropped unless requested', () => {
      expect(sent([thinking])).deep.equal([{ role: 'assistant', content: 'Yes.' }])
    })

    it('is inlined between think tags', () => {
      expect(sent([thinking], MERGING, true)).deep.equal([
        { role: 'assistant', content: '<think>\nHm\n</think>\n\nYes.' },
      ])
    })

    it('precedes the first part, and is the only text before a call', () => {
      const parts: Message = {
        ...thinking,
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      }
      const calling: Message = { role: 'assistant', content: null, reasoning: 'Hm', toolCalls: [call('a')] }
      expect(sent([parts], MERGING, true)[0]?.content).deep.equal([
        { type: 'text', text: '<think>\nHm\n</think>\n\nA' },
        { type: 'text', text: 'B' },
      ])
      expect(sent([calling], MERGING, true)[0]?.content).equal('<think>\nHm\n</think>\n\n')
      expect(sent([{ ...thinking, content: [] }], MERGING, true)[0]?.content).deep.equal([
        { type: 'text', text: '<think>\nHm\n</think>\n\n' },
      ])
    })

    it('is left out when it is empty', () => {
      expect(sent([{ ...thinking, reasoning: '' }], MERGING, true)[0]?.content).equal('Yes.')
    })
  })
})
