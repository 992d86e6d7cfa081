import { expect } from 'chai'
import { stopOf, toUsageBody } from '../../../../lib/formats/messages/message.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const request = chatRequest({ stop: ['END'] })

describe('Messages stop reason', () => {
  const cases: readonly (readonly [
    Parameters<typeof stopOf>[0],
    string | number | undefined,
    boolean,
    string,
    string?,
  ])[] = [
    ['stop', undefined, false, 'end_turn'],
    ['stop', 'END', false, 'stop_sequence', 'END'],
    ['stop', 'other', false, 'end_turn'],
    ['stop', 151645, false, 'end_turn'],
    ['stop', undefined, true, 'tool_use'],
    ['stop', 'END', true, 'tool_use'],
    ['tool_calls', undefined, true, 'tool_use'],
    ['tool_calls', undefined, false, 'end_turn'],
    ['length', undefined, false, 'max_tokens'],
    ['length', undefined, true, 'max_tokens'],
    ['content_filter', undefined, false, 'end_turn'],
    ['content_filter', undefined, true, 'end_turn'],
  ]
  for (const [finish, matched, calls, stop_reason, stop_sequence = null] of cases) {
    it(`${finish}, matched ${matched}, ${calls ? 'with' : 'without'} calls: ${stop_reason}`, () => {
      expect(stopOf(finish, matched, calls, request)).deep.equal({ stop_reason, stop_sequence })
    })
  }

  it('reports no stop sequence if the request has none', () => {
    expect(stopOf('stop', '</s>', false, chatRequest())).include({ stop_reason: 'end_turn' })
  })
})

const UNCACHED = { ...OPTIONS, messages: { ...OPTIONS.messages, input_tokens: 'uncached' as const } }
const counts = (cachedTokens: number | null) => ({
  promptTokens: 9,
  completionTokens: 2,
  cachedTokens,
  reasoningTokens: null,
})

describe('usage of Messages', () => {
  it('counts all input tokens', () => {
    expect(toUsageBody(counts(4), OPTIONS)).include({ input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 2 })
    expect(toUsageBody(undefined, OPTIONS)).include({ input_tokens: 0, cache_read_input_tokens: 0 })
  })

  it('omits tokens from the cache if configured', () => {
    expect(toUsageBody(counts(4), UNCACHED)).include({ input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 2 })
    expect(toUsageBody(counts(null), UNCACHED)).include({ input_tokens: 9, cache_read_input_tokens: 0 })
    expect(toUsageBody(counts(12), UNCACHED)).include({ input_tokens: 0, cache_read_input_tokens: 12 })
    expect(toUsageBody(undefined, UNCACHED)).include({ input_tokens: 0, cache_read_input_tokens: 0 })
  })
})
