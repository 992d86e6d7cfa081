import { expect } from 'chai'
import { FINISH_REASONS } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { eventStart, finishText, writeEnd, writeError } from '../../../../lib/formats/openai/stream.ts'
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
    for (const reason of [undefined, ...FINISH_REASONS]) {
      expect(finishText(reason)).equal(JSON.stringify(reason ?? null))
    }
  })

  it('end with usage, where it is known, and [DONE]', () => {
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

  it('break off with the envelope of the error and without [DONE]', () => {
    const error = failure('backend_timeout', { model: 'm' })
    const data = written(write => writeError(write, context, error))
    expect(data.map(text => JSON.parse(text))).eql([{ error: errorBody(error) }])
  })
})
