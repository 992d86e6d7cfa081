import { expect } from 'chai'
import { emptySize } from '../../../../lib/tokens/prompt-size.ts'
import { ModelTokens } from '../../../../lib/tokens/token-ratios.ts'
import type { ReplyUsage } from '../../../../plugins/slots.ts'
import { settle } from '../../../../plugins/telemetry/usage/settle.ts'
import { usageOf } from '../../../support/reply-usage.ts'

const SIZE = { ...emptySize(), letters: 3000, pieces: 1, requests: 1 }

const DONE = { outcome: 'done', requestSent: true, brokeMidStream: false } as const
const GONE = { ...DONE, outcome: 'client_gone' } as const
const BROKEN = { outcome: 'failed', requestSent: true, brokeMidStream: true } as const
const REFUSED = { ...BROKEN, brokeMidStream: false } as const

/** Input and output tokens as settled. */
function tokensOf(end: Parameters<typeof settle>[0], members: Partial<ReplyUsage>, tokens = new ModelTokens()) {
  const seen = usageOf(members)
  settle(end, seen, SIZE, tokens)
  return [seen.inputTokens, seen.outputTokens]
}

describe('the tokens of a request', () => {
  const counted = { usagePresent: true, inputTokens: 900, outputTokens: 7, cacheReadTokens: 10 }
  const uncounted = { outputBytes: 400 }
  const tokens = new ModelTokens()
  const estimated = [tokens.expected(SIZE), tokens.ofText(400)]

  it('are what the backend has counted, however the reply ended', () => {
    for (const end of [DONE, GONE, BROKEN]) expect(tokensOf(end, counted)).deep.equal([900, 7])
  })

  it('are estimated where the backend has counted nothing, however the reply ended', () => {
    for (const end of [DONE, GONE, BROKEN]) expect(tokensOf(end, uncounted)).deep.equal(estimated)
    expect(tokensOf(GONE, {})).deep.equal([estimated[0], 0])
  })

  it('are estimated of the output alone where the backend had counted the prompt alone', () => {
    const begun = { ...counted, outputTokens: 0, outputBytes: 400 }
    for (const end of [GONE, BROKEN]) expect(tokensOf(end, begun)).deep.equal([900, estimated[1]])
    expect(tokensOf(DONE, begun)).deep.equal([900, 0])
  })

  it('are none where the client got nothing of a reply, or no backend was sent the request', () => {
    const ends = [REFUSED, { ...GONE, requestSent: false }, { ...DONE, requestSent: false }]
    for (const end of ends) {
      const seen = usageOf({ ...counted, reasoningTokens: 3 })
      settle(end, seen, SIZE, tokens)
      expect(seen).include({ inputTokens: null, outputTokens: null, cacheReadTokens: null, reasoningTokens: null })
    }
  })

  it('are not known of a form without usage', () => {
    const seen = usageOf(uncounted)
    settle(DONE, seen, null, tokens)
    expect(seen).include({ inputTokens: null, outputTokens: null })
  })

  it('teach how many a prompt has', () => {
    const own = new ModelTokens()
    const before = own.expected(SIZE)
    for (let i = 0; i < 50; i++) tokensOf(DONE, { ...counted, inputTokens: 3000 }, own)
    expect(own.expected(SIZE)).above(2 * before)
  })
})
