import { expect } from 'chai'
import type { CanonicalRequest } from '../../../lib/plugin.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { estimate, expectedTokens, measure } from '../../../plugins/limits/estimate.ts'
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
  const measured = (form: boolean, request?: CanonicalRequest) =>
    measure({ route: { form }, headers: {}, bodyBytes: 100 } as never, request, {})

  it('is that of the request', () => {
    const messages = Array.from({ length: 10 }, () => ({ role: 'user', content: 'a' }) as const)
    expect(measured(false, chatRequest({ messages }))).include({ pieces: 10, letters: 10 })
  })

  it('is that of the body if the reply passes as bytes, and none of a form', () => {
    expect(measured(false)).include({ letters: 100 })
    expect(measured(true)).equal(null)
  })
})

describe('the estimate of a transcription', () => {
  it('is above what models count of compressed speech', () => {
    // A minute at 16 kbit/s. From each second, models make ten to twelve tokens, and they write three.
    const inputs = { tokens: new TokenRatios(), model: 'm', context: undefined, assumed: 0 }
    const headers = { 'content-length': '120000' }
    const { input, output } = expectedTokens({ headers }, undefined, null, {
      ...inputs,
      config: { audio_limit_bytes: 1 },
    })
    expect(input).greaterThan(60 * 12)
    expect(output).greaterThan(60 * 3)
  })
})
