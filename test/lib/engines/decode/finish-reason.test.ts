import { expect } from 'chai'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { readFinishReason } from '../../../../lib/engines/decode/finish-reason.ts'

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
