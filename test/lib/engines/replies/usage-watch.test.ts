import { expect } from 'chai'
import { UsageWatch } from '../../../../lib/engines/replies/usage-watch.ts'

/** Twice as long as both kept ends together. */
const VECTORS = JSON.stringify(Array.from({ length: 900 }, (_, i) => i / 7))

function seen(text: string, size = text.length) {
  const watch = new UsageWatch()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) watch.add(bytes.subarray(at, at + size))
  return watch.result()
}

const usage = (promptTokens: number, completionTokens = 0, cachedTokens: number | null = null) => ({
  promptTokens,
  completionTokens,
  cachedTokens,
  reasoningTokens: null,
})

describe('pipe/usage-watch', () => {
  it('finds usage at either end of a long reply, in pieces of any size', () => {
    const own = '"usage":{"prompt_tokens":12,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":3}}'
    for (const size of [1, 7, 1000, 4096, 5000, 1_000_000]) {
      expect(seen(`{"data":${VECTORS},${own}}`, size), `${size}`).deep.equal(usage(12, 0, 3))
      expect(seen(`{${own},"results":${VECTORS}}`, size), `${size}`).deep.equal(usage(12, 0, 3))
    }
  })

  it('ignores text that looks like usage', () => {
    const document = JSON.stringify('"usage":{"prompt_tokens":1}')
    expect(seen(`{"usage":{"prompt_tokens":9,"total_tokens":9},"results":[${document}]}`)).deep.equal(usage(9))
  })

  it("reads OpenAI's names for audio, seconds, and a total alone", () => {
    expect(seen('{"text":"","usage":{"type":"tokens","input_tokens":14,"output_tokens":4}}')).deep.equal(usage(14, 4))
    expect(seen('{"text":"","usage":{"type":"duration","seconds":3}}')).equal(undefined)
    expect(seen('{"usage":{"total_tokens":5}}')).deep.equal(usage(5))
  })

  it('describes an invalid usage, and returns undefined without one', () => {
    expect(seen('{"usage":{"prompt_tokens":"many"}}')).equal('usage.prompt_tokens is not a whole number')
    expect(seen('{"usage":null}')).equal(undefined)
    expect(seen('{"usage":{"prompt_tokens":1')).equal(undefined)
    expect(seen('1\n00:00:00,000 --> 00:00:01,000\nHello\n')).equal(undefined)
  })
})
