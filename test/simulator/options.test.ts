import { expect } from 'chai'
import { settingsOf } from '../../simulator/options.ts'

const ENGINE = { reasoningByDefault: true, queueFullInStream: true }

describe('simulator/options', () => {
  it('applies defaults, those of the engine first', () => {
    expect(settingsOf({}, ENGINE)).deep.equal({
      models: [{ id: 'simulated', max_model_len: 32_768, vision: false, reasoning: true }],
      tokensPerSecond: 50,
      firstTokenMs: 100,
      jitter: 0,
      answerTokens: 48,
      thinkingKwarg: 'enable_thinking',
      reasoningByDefault: true,
      systemInline: false,
      developerRole: false,
      reportCachedTokens: true,
      queueFullInStream: true,
      seed: 0,
    })
  })

  it('keeps options, also 0, false and empty values', () => {
    const settings = settingsOf(
      { tokens_per_second: 0, first_token_ms: 0, queue_full_in_stream: false, reasoning_by_default: false },
      ENGINE,
    )
    expect(settings).include({
      tokensPerSecond: 0,
      firstTokenMs: 0,
      queueFullInStream: false,
      reasoningByDefault: false,
    })
    expect(settingsOf({ models: [{ id: 'm', vision: undefined, max_model_len: 9 }] }, ENGINE).models[0]).deep.equal({
      id: 'm',
      max_model_len: 9,
      vision: false,
      reasoning: true,
    })
  })
})
