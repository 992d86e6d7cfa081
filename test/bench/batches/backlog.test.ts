import { expect } from 'chai'
import { Backlog } from '../../../bench/batches/backlog.ts'
import { simulate } from '../../../bench/routing/virtual.ts'
import { H100_8B } from '../../../simulator/engine-speed.ts'

const line = { promptTokens: 1500, equalTokens: 1000, answerTokens: 20 }
const limits = { growth: 0.05, max_added_ttft_ms: 50, max_share: 1, max_cache_share: 0.2, slots: 4 }

describe('a backlog of lines', () => {
  const run = (one: typeof limits | null, count = 1) => {
    let backlog: Backlog | undefined
    const { computed } = simulate({
      gateways: { count, sticky: false, sharedAfterMs: 1 },
      policy: 'cost',
      sessions: [],
      engines: 2,
      speed: H100_8B,
      times: 1,
      seed: 1,
      untilMs: 2000,
      attach: parts => {
        backlog = new Backlog({ limits: one, slots: 4, line, blockTokens: H100_8B.blockTokens }, parts)
      },
    })
    return { ended: backlog!.ended, computed }
  }

  it('keeps engines busy, by the rule or without it', () => {
    for (const one of [limits, null]) {
      const { ended, computed } = run(one)
      expect(ended.length).above(50)
      expect(ended.every(({ at, sentAt }) => at > sentAt)).equal(true)
      for (const tokens of computed) expect(tokens).above(5000)
    }
  })

  it('of several processes holds the places of one', () => {
    const one = run(limits).ended.length
    const three = run(limits, 3).ended.length
    expect(three / one).within(0.8, 1.15)
  })
})
