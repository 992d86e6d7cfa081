import { expect } from 'chai'
import { type CanonicalRequest, type JsonObject, ROUTES, type Route } from '../../../lib/plugin.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { estimate, expectedUse, measure } from '../../../plugins/limits/estimate.ts'
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

const SERVED = {
  tokens: new TokenRatios(),
  model: 'm',
  context: undefined,
  assumed: 0,
  config: { audio_limit_bytes: 1, image_limit_bytes: 1 },
}
const routeOf = (name: string) => (ROUTES as readonly Route[]).find(route => route.name === name)!

describe('the estimate of a transcription', () => {
  it('is above what models count of compressed speech', () => {
    // A minute at 16 kbit/s. From each second, models make ten to twelve tokens, and they write three.
    const exchange = { headers: { 'content-length': '120000' }, route: routeOf('transcriptions'), bodyBytes: 0 }
    const { input, output } = expectedUse(exchange, undefined, undefined, null, SERVED)
    expect(input).greaterThan(60 * 12)
    expect(output).greaterThan(60 * 3)
  })
})

describe('the estimate of units', () => {
  const unitsOf = (name: string, body: JsonObject, bytes = 100) => {
    const exchange = { headers: { 'content-length': String(bytes) }, route: routeOf(name), bodyBytes: bytes }
    return expectedUse(exchange, undefined, body, measure(exchange, undefined, body), SERVED).units
  }

  it('is the characters of the input, n images, and 60 seconds of audio per megabyte', () => {
    expect(unitsOf('speech', { input: 'Hällo 🌊!' })).equal(8)
    expect(unitsOf('moderations', { input: ['one', 'two!'] })).equal(7)
    expect(unitsOf('image-generations', { n: 3 })).equal(3)
    expect(unitsOf('image-edits', {})).equal(1)
    expect(unitsOf('transcriptions', {}, 2_000_000)).equal(120)
    expect(unitsOf('translations', {}, 500_000)).equal(30)
  })

  it('is none for models that count tokens alone', () => {
    expect(unitsOf('embeddings', { input: 'Hello' })).equal(0)
  })
})
