import { expect } from 'chai'
import { FINISH_REASONS, type Usage } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import {
  eventStart,
  finishText,
  RunningUsageText,
  toUsageBody,
  toUsageText,
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

const known = { promptTokens: 10, completionTokens: 5, cachedTokens: 4, reasoningTokens: 0 }
const unknown = { promptTokens: 10, completionTokens: 5, cachedTokens: null, reasoningTokens: null }

describe('usage of chat completions and text completions', () => {
  it('has details only where the engine gave them: unknown is not zero', () => {
    const totals = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    expect(toUsageBody(unknown)).eql(totals)
    expect(toUsageBody(known)).eql({
      ...totals,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })

  it('is the same as text', () => {
    const cases: Usage[] = [known, unknown, { ...known, cachedTokens: null }, { ...known, reasoningTokens: null }]
    for (const usage of cases) expect(toUsageText(usage)).equal(JSON.stringify(toUsageBody(usage)))
  })

  describe('of one stream', () => {
    const expectTexts = (usages: readonly Usage[]) => {
      const text = new RunningUsageText()
      for (const usage of usages) {
        // Twice: the second time with what the first one kept.
        for (let i = 0; i < 2; i++) expect(text.of(usage)).equal(JSON.stringify(toUsageBody(usage)))
      }
    }

    it('is the text of each, whatever has changed', () => {
      expectTexts([unknown, { ...unknown, completionTokens: 6 }, { ...unknown, completionTokens: 0 }])
      expectTexts([10, 12, 12, 0, 10].map(promptTokens => ({ ...known, promptTokens })))
      expectTexts([null, 4, 4, 0, null, null, 7].map(cachedTokens => ({ ...unknown, cachedTokens })))
      expectTexts([null, 0, 2, null, 2].map(reasoningTokens => ({ ...unknown, reasoningTokens })))
      expectTexts([{ ...unknown, promptTokens: 0 }, unknown, known, { ...known, queuedMs: 3 }])
    })

    it('is the text of each of any usages, in any order', () => {
      const numbers = [null, 0, 3] as const
      const all = [0, 1, 10].flatMap(promptTokens =>
        [0, 5].flatMap(completionTokens =>
          numbers.flatMap(cachedTokens =>
            numbers.map(reasoningTokens => ({ promptTokens, completionTokens, cachedTokens, reasoningTokens })),
          ),
        ),
      )
      for (const first of all) expectTexts(all.flatMap(usage => [first, usage]))
    })

    it('is that of its own stream', () => {
      const [one, other] = [new RunningUsageText(), new RunningUsageText()]
      one.of(known)
      expect(other.of(unknown)).equal(toUsageText(unknown))
      expect(one.of(known)).equal(toUsageText(known))
    })
  })
})
