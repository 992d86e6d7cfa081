import { expect } from 'chai'

import { estimate, estimateAudio, estimatePipe } from '../../../../plugins/limits/credits/estimate.ts'
import { largeRequest } from '../../../support/bodies.ts'

import { chatRequest, textRequest, tool } from '../../../support/canonical.ts'

const of = (request: Parameters<typeof estimate>[0], context?: number) => estimate(request, context, 4096)

describe('the estimate of a request', () => {
  it('counts a token for every three bytes of text, some for each message and tool, and many for an image', () => {
    const image = { type: 'image', url: 'https://example.com/a.png' } as const
    const text = chatRequest({ messages: [{ role: 'user', content: 'x'.repeat(300) }], maxTokens: 1 })
    expect(of(text).input).equal(108)
    const parts = chatRequest({
      messages: [
        { role: 'system', content: 'y'.repeat(30) },
        { role: 'user', content: [{ type: 'text', text: '日本語' }, image, image] },
        { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'f', arguments: 'z'.repeat(60) }] },
      ],
      maxTokens: 1,
    })
    expect(of(parts).input).equal(10 + 3 + 20 + 3 * 8 + 2 * 2000)
    const tools = [tool({ description: 'd'.repeat(300), parameters: { type: 'object' } })]
    expect(of(chatRequest({ messages: [], tools, maxTokens: 1 })).input).within(110, 120)
  })

  it('takes a query once for each document, and token ids for what they are', () => {
    const of = (body: Parameters<typeof estimatePipe>[0]) => estimatePipe(body, JSON.stringify(body).length)
    const input = ['x'.repeat(300), 'y'.repeat(300)]
    expect(of({ input }).input).within(200, 220)
    const query = 'q'.repeat(300)
    expect(of({ query, documents: ['a'] }).input).within(100, 130)
    expect(of({ query, documents: ['a', 'b', 'c'] }).input).within(300, 340)
    expect(of({ text_1: query, text_2: ['a', 'b', 'c'] }).input).within(300, 340)
    expect(of({ input: Array.from({ length: 500 }, () => 1) }).input).within(500, 520)
    expect(of({ input }).output).equal(0)
  })

  it('counts the long texts of a large body, images among them as images, and ends at the context window', () => {
    const image = { type: 'image', url: `data:image/png;base64,${'A'.repeat(30_000_000)}` } as const
    const content = [image, { type: 'text' as const, text: 'x'.repeat(900_000) }]
    const request = largeRequest(chatRequest({ messages: [{ role: 'user', content }], maxTokens: 1 }))
    expect(of(request).input).equal(300_000 + 8 + 2000)
    expect(of(request, 131_072).input).equal(131_072)
    const prompts = largeRequest(textRequest({ prompt: ['x'.repeat(3000), 'y'.repeat(30_000)], maxTokens: 10 }))
    expect(of(prompts)).deep.equal({ input: 11_000, output: 20 })
    const prompt = largeRequest(textRequest({ prompt: 'x'.repeat(3000), maxTokens: 10 }))
    expect(of(prompt)).deep.equal({ input: 1000, output: 10 })
  })

  it('counts as output what may be generated: max_tokens, or the rest of the window, or an assumption', () => {
    const short = { messages: [{ role: 'user' as const, content: 'x'.repeat(276) }] }
    expect(of(chatRequest({ ...short, maxTokens: 50 }), 8192).output).equal(50)
    expect(of(chatRequest({ ...short, maxTokens: 99_999 }), 8192).output).equal(8192 - 50)
    expect(of(chatRequest(short), 8192).output).equal(8192 - 50)
    expect(of(chatRequest({ ...short, maxTokens: 99_999 })).output).equal(99_999)
    expect(of(chatRequest(short)).output).equal(4096)
  })

  it('counts every choice and every prompt of a batch', () => {
    expect(of(chatRequest({ messages: [], maxTokens: 10, n: 3 })).output).equal(30)
    expect(of(textRequest({ prompt: 'x'.repeat(30), maxTokens: 10, n: 2, bestOf: 5 }))).deep.equal({
      input: 10,
      output: 50,
    })
    expect(of(textRequest({ prompt: ['x'.repeat(30), 'y'], maxTokens: 10 }))).deep.equal({ input: 11, output: 20 })
    expect(of(textRequest({ prompt: [1, 2, 3], maxTokens: 10 }))).deep.equal({ input: 3, output: 10 })
    expect(of(textRequest({ prompt: [[1, 2, 3], [4]], maxTokens: 10 }))).deep.equal({ input: 4, output: 20 })
    expect(of(textRequest({ prompt: ['x'.repeat(30_000), 'y'.repeat(30_000)], maxTokens: 10 }), 2000).input).equal(4000)
    expect(of(textRequest({ prompt: [], maxTokens: 10 }))).deep.equal({ input: 0, output: 10 })
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
