import { expect } from 'chai'
import type { FinishReason } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import {
  eventStart,
  finishText,
  toUsageBody,
  usageText,
  writeEnd,
  writeError,
} from '../../../../lib/formats/openai/stream.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { contextOf, errorBody, REPLY_ID } from '../../../support/encoders.ts'

describe('events of chat completions and text completions', () => {
  const context = contextOf(chatRequest())

  function written(play: (write: (event: string | undefined, data: string) => void) => void): string[] {
    const data: string[] = []
    play((event, text) => {
      expect(event).equal(undefined)
      data.push(text)
    })
    return data
  }

  it('begin with JSON to which only choices are appended', () => {
    const quoted = { ...context, model: 'a "quoted" model' }
    expect(JSON.parse(`${eventStart(quoted, 'x-', 'some.chunk')}]}`)).eql({
      id: `x-${REPLY_ID}`,
      object: 'some.chunk',
      created: 1_750_000_000,
      model: 'a "quoted" model',
      choices: [],
    })
  })

  it('have every finish reason as JSON', () => {
    const reasons: FinishReason[] = ['stop', 'length', 'tool_calls', 'content_filter']
    for (const reason of [undefined, ...reasons]) {
      expect(finishText(reason)).equal(JSON.stringify(reason ?? null))
    }
  })

  it('end with usage, if it is known, and [DONE]', () => {
    const usage = { promptTokens: 1, completionTokens: 2, cachedTokens: null, reasoningTokens: null }
    const start = eventStart(context, 'x-', 'some.chunk')
    const [last, done, ...more] = written(write => writeEnd(write, start, usage))
    expect(JSON.parse(last ?? '')).deep.include({
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    })
    expect([done, more]).eql(['[DONE]', []])
    expect(written(write => writeEnd(write, start, undefined))).eql(['[DONE]'])
  })

  it('end a broken reply with the envelope of the error and without [DONE]', () => {
    const error = failure('backend_timeout', { model: 'm' })
    const data = written(write => writeError(write, context, error))
    expect(data.map(text => JSON.parse(text))).eql([{ error: errorBody(error) }])
  })
})

const known = { promptTokens: 10, completionTokens: 5, cachedTokens: 4, reasoningTokens: 0 }
const unknown = { promptTokens: 10, completionTokens: 5, cachedTokens: null, reasoningTokens: null }

describe('usage of chat completions and text completions', () => {
  it('has details only if the engine reported them: unknown is not zero', () => {
    const totals = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    expect(toUsageBody(unknown)).eql(totals)
    expect(toUsageBody(known)).eql({
      ...totals,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })

  it('is written as the JSON text of the same object', () => {
    const counts = [0, 1, 10]
    const details = [null, 0, 3]
    for (const promptTokens of counts)
      for (const completionTokens of counts)
        for (const cachedTokens of details)
          for (const reasoningTokens of details) {
            const usage = { promptTokens, completionTokens, cachedTokens, reasoningTokens }
            expect(usageText(usage)).equal(JSON.stringify(toUsageBody(usage)))
          }
    expect(usageText({ ...known, queuedMs: 3 })).equal(usageText(known))
  })
})
