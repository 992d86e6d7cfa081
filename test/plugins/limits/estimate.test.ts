import { expect } from 'chai'

import { ITEMS_PER_STEP } from '../../../lib/base/steps.ts'
import { estimate, estimateAudio, whenMeasured } from '../../../plugins/limits/estimate.ts'
import { chatRequest, textRequest } from '../../support/canonical.ts'

const of = (request: Parameters<typeof estimate>[0], context?: number, tokens = 100) =>
  estimate(request, tokens, context, 4096)

describe('the estimate of a request', () => {
  it('ends at the context window, of each prompt of a batch', () => {
    const chat = chatRequest({ messages: [], maxTokens: 1 })
    expect(of(chat, undefined, 9000).input).equal(9000)
    expect(of(chat, 8192, 9000).input).equal(8192)
    expect(of(textRequest({ prompt: ['x', 'y'], maxTokens: 10 }), 2000, 20_000).input).equal(4000)
  })

  it('counts as output what may be generated: max_tokens, or the rest of the window, or an assumption', () => {
    const short = { messages: [] }
    expect(of(chatRequest({ ...short, maxTokens: 50 }), 8192).output).equal(50)
    expect(of(chatRequest({ ...short, maxTokens: 99_999 }), 8192).output).equal(8192 - 50)
    expect(of(chatRequest(short), 8192).output).equal(8192 - 50)
    expect(of(chatRequest({ ...short, maxTokens: 99_999 })).output).equal(99_999)
    expect(of(chatRequest(short)).output).equal(4096)
  })

  it('counts every choice and every prompt of a batch', () => {
    const output = (request: Parameters<typeof estimate>[0]) => of(request).output
    expect(output(chatRequest({ messages: [], maxTokens: 10, n: 3 }))).equal(30)
    expect(output(textRequest({ prompt: 'x', maxTokens: 10, n: 2, bestOf: 5 }))).equal(50)
    expect(output(textRequest({ prompt: ['x', 'y'], maxTokens: 10 }))).equal(20)
    expect(output(textRequest({ prompt: [1, 2, 3], maxTokens: 10 }))).equal(10)
    expect(output(textRequest({ prompt: [[1, 2, 3], [4]], maxTokens: 10 }))).equal(20)
    expect(output(textRequest({ prompt: [], maxTokens: 10 }))).equal(10)
  })
})

describe('the size of a prompt', () => {
  const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'a' }) as const)
  const sized = (form: boolean) => ({ route: { form }, headers: {}, bodyBytes: 100 }) as never
  const measured = async (form: boolean, ...request: Parameters<typeof chatRequest>) => {
    let found: unknown = 'nothing'
    const then = (size: unknown) => {
      found = size
    }
    const pending = whenMeasured(sized(form), request.length === 0 ? undefined : chatRequest(...request), {}, then)
    const atOnce = found
    await pending
    return { pending, atOnce, found }
  }

  it('is known at once for few messages, and without a promise', async () => {
    const { pending, atOnce } = await measured(false, { messages: messages(10) })
    expect(pending).equal(undefined)
    expect(atOnce).include({ pieces: 10, letters: 10 })
  })

  it('is measured in turns for many', async () => {
    const { pending, atOnce, found } = await measured(false, { messages: messages(ITEMS_PER_STEP + 1) })
    expect(pending).instanceOf(Promise)
    expect(atOnce).equal('nothing')
    expect(found).include({ pieces: ITEMS_PER_STEP + 1, letters: ITEMS_PER_STEP + 1 })
  })

  it('is that of the body where the reply passes as bytes, and none of a form', async () => {
    expect((await measured(false)).atOnce).include({ letters: 100 })
    expect((await measured(true)).atOnce).equal(null)
  })
})

describe('the estimate of a transcription', () => {
  it('is above what models count of compressed speech', () => {
    // A minute at 16 kbit/s, of which models make ten to twelve tokens a second and write three.
    const { input, output } = estimateAudio(120_000)
    expect(input).greaterThan(60 * 12)
    expect(output).greaterThan(60 * 3)
  })
})
