import { expect } from 'chai'
import { PROFILES } from '../../../../lib/config/profile.ts'
import {
  answerIn,
  answerMember,
  callsIn,
  hasUnknownPart,
  readFinishReason,
} from '../../../../lib/engines/decode/answer.ts'

describe('the answer of a choice', () => {
  const both = { delta: { content: 'a' }, message: { content: 'b' } }

  it('is in the member of the API, or in another one that has a part of it', () => {
    expect([answerMember(both, false), answerMember(both, true)]).deep.equal(['delta', 'message'])
    const parts = [
      { content: 'a' },
      { reasoning: 'a' },
      { refusal: 'a' },
      { tool_calls: [{}] },
      { function_call: { name: 'f' } },
    ]
    for (const part of parts) {
      expect(answerMember({ delta: { content: '' }, message: part }, false)).equal('message')
      expect(answerMember({ message: null, delta: part }, true)).equal('delta')
      expect(answerMember(part, false)).equal('choice')
    }
    expect(answerMember({ index: 0, delta: { role: 'assistant', content: null, tool_calls: [] } }, false)).equal(
      undefined,
    )
  })

  it('may be a text', () => {
    expect(answerIn({ message: 'a' }, 'message')).deep.equal({ content: 'a' })
    for (const message of [null, undefined]) expect(answerIn({ message }, 'message')).deep.equal({})
  })

  it('has its calls, or the one of the older API', () => {
    expect(callsIn({ tool_calls: [1], function_call: { name: 'f' } })).deep.equal([1])
    expect(callsIn({ tool_calls: [], function_call: { name: 'f' } })).deep.equal([
      { index: 0, function: { name: 'f' } },
    ])
    expect(callsIn({ tool_calls: null, function_call: {} })).deep.equal([])
  })

  it('has an unknown part if a value that is not empty has another name or form', () => {
    const names = [{ output: 'a' }, { parts: [1] }, { answer: { text: 'a' } }]
    const texts = [7, true, { text: 'a' }, [{ type: 'thinking', thinking: 'a' }], [{ text: { value: 'a' } }]]
    const forms = [{ tool_calls: { id: 'a' } }, { tool_calls: 'a' }, { reasoning: { text: 'a' } }]
    for (const answer of [...names, ...texts.map(content => ({ content })), ...forms])
      expect(hasUnknownPart(answer), JSON.stringify(answer)).equal(true)
    const harmless = { role: 'assistant', id: 'x', content: '', seed: 7, cached: true, x: null, y: '', z: [], u: {} }
    expect(hasUnknownPart({ content: [{ type: 'text', text: '' }] })).equal(false)
    expect(hasUnknownPart(harmless)).equal(false)
  })
})

const PROFILE = PROFILES.openai

describe('finish reasons of servers', () => {
  const read = (reason: string) => readFinishReason(reason, true, PROFILE)

  it('have the nearest meaning, in upper and lower case', () => {
    const names = {
      stop: [
        'stop',
        'STOP',
        'eos',
        'end_turn',
        'stop_sequence',
        'repetition',
        'whatever',
        '',
        '__proto__',
        'constructor',
      ],
      length: ['length', 'max_tokens', 'MAX_TOKENS', 'model_length'],
      tool_calls: ['tool_calls', 'tool_use', 'function_call'],
      content_filter: ['content_filter', 'SAFETY', 'refusal'],
      error: ['error', 'abort', 'ABORT'],
    }
    for (const [meaning, all] of Object.entries(names)) for (const name of all) expect(read(name), name).equal(meaning)
  })

  it('are absent in chunks before the last one', () => {
    for (const reason of [null, undefined, '', 'null', 'none'])
      expect(readFinishReason(reason, false, PROFILE), String(reason)).equal(undefined)
    for (const reason of [null, undefined]) expect(readFinishReason(reason, true, PROFILE)).equal(undefined)
  })

  it('are an error if they are no text', () => {
    for (const reason of [7, true, {}, []]) expect(readFinishReason(reason, true, PROFILE)).equal('error')
  })

  it('have the meaning that the profile gives them', () => {
    const profile = { ...PROFILE, finish_reasons: { cancelled: 'error', STOP: 'length', '': 'error' } as const }
    const meant = (reason: string) => readFinishReason(reason, true, profile)
    expect(['cancelled', 'STOP', '', 'stop', 'Cancelled'].map(meant)).deep.equal([
      'error',
      'length',
      'error',
      'stop',
      'stop',
    ])
  })
})
