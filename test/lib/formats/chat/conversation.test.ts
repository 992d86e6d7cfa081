import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { readConversation } from '../../../../lib/formats/chat/conversation.ts'
import type { BodyMessage } from '../../../../lib/formats/chat/generated/body.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** Any JSON, also members that the types lack. */
function canonical(message: JsonObject) {
  return readConversation({ model: 'm', messages: [message as unknown as BodyMessage] })[0]
}

describe('messages of chat', () => {
  it('keep roles, names and texts', () => {
    for (const role of ['system', 'developer', 'user'] as const) {
      expect(canonical({ role, content: 'a', name: 'n' })).eql({ role, content: 'a', name: 'n' })
    }
  })

  it('of a tool without content are an empty result (docs/api/chat-completions.md#messages)', () => {
    const empty = { role: 'tool', toolCallId: 'c', content: '' }
    expect(canonical({ role: 'tool', tool_call_id: 'c', content: null })).eql(empty)
    expect(canonical({ role: 'tool', tool_call_id: 'c' })).eql(empty)
  })

  it('with an empty list as content are an empty text', () => {
    for (const role of ['system', 'developer', 'user'] as const)
      expect(canonical({ role, content: [] })).eql({ role, content: '' })
    expect(canonical({ role: 'tool', tool_call_id: 'c', content: [] })).include({ content: '' })
    expect(canonical({ role: 'assistant', content: [] })).eql({ role: 'assistant', content: null })
    expect(canonical({ role: 'assistant', content: [], refusal: 'No' })).include({ content: 'No' })
  })

  it('of a tool may contain images', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://a.test/i.png', detail: 'high' } }]
    expect(canonical({ role: 'tool', tool_call_id: 'c', content })).deep.include({
      content: [{ type: 'image', url: 'https://a.test/i.png', detail: 'high' }],
    })
  })

  it('of the assistant distinguish null from empty text', () => {
    expect(canonical({ role: 'assistant', content: null })).eql({ role: 'assistant', content: null })
    expect(canonical({ role: 'assistant', content: '' })).eql({ role: 'assistant', content: '' })
  })

  it('of the assistant accept reasoning under both names and drop empty reasoning', () => {
    expect(canonical({ role: 'assistant', content: 'a', reasoning_content: 'r' })).include({ reasoning: 'r' })
    expect(canonical({ role: 'assistant', content: 'a', reasoning: 'r' })).include({ reasoning: 'r' })
    expect(canonical({ role: 'assistant', content: 'a', reasoning_content: null, reasoning: 'r' })).include({
      reasoning: 'r',
    })
    expect(canonical({ role: 'assistant', content: 'a', reasoning: '' })).not.property('reasoning')
  })

  it('of the assistant have no empty list of tool calls', () => {
    expect(canonical({ role: 'assistant', content: 'a', tool_calls: [] })).not.property('toolCalls')
  })

  it('refuse an image that is neither an address nor a file, or both', () => {
    for (const image_url of [{}, { url: null }, { detail: 'low' }, { url: 'https://a.test/i.png', file_id: 'f' }]) {
      const refusal = refusalOf(() => canonical({ role: 'user', content: [{ type: 'image_url', image_url }] }))
      expect(refusal).include({ code: 'schema_validation_failed', param: 'messages.0.content.0.image_url' })
    }
  })

  for (const type of ['input_audio', 'file', 'video_url', 'audio_url', 'thinking', '__proto__']) {
    it(`refuse a part of type ${type}`, () => {
      const refusal = refusalOf(() => canonical({ role: 'user', content: [{ type: 'text', text: 'a' }, { type }] }))
      expect(refusal).include({ code: 'unsupported_feature', status: 400, param: 'messages.0.content.1.type' })
    })
  }

  for (const role of ['system', 'developer', 'assistant'] as const) {
    it(`refuse an image in a message of role ${role}`, () => {
      const content = [{ type: 'image_url', image_url: { file_id: 'f' } }]
      const refusal = refusalOf(() => canonical({ role, content }))
      expect(refusal).include({ code: 'schema_validation_failed', status: 422, param: 'messages.0.content.0.type' })
    })
  }
})
