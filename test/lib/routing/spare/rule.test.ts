import { expect } from 'chai'
import {
  allowedGrowth,
  crowding,
  growthOf,
  heldBack,
  heldBackOffline,
  isGuarded,
  type LineCandidate,
  maxLines,
  noticedMs,
  type SpareLimits,
} from '../../../../lib/routing/spare/rule.ts'

const LIMITS: SpareLimits = { growth: 0.05, max_added_ttft_ms: 50, max_share: 1, max_cache_share: 0.2, slots: 32 }

/** A backend without requests, and a line of 1,000 tokens. */
function candidate(members: Partial<LineCandidate> = {}): LineCandidate {
  return {
    queued: 0,
    queuedLines: 0,
    queuedLinesMs: 0,
    lines: 0,
    maxLines: 32,
    addedMs: 0.1,
    metMs: 0.5,
    stepMs: 6,
    heldByLines: 1000,
    heldByOthers: 0,
    cacheTokens: 100_000,
    ...members,
  }
}

describe('the rule for lines', () => {
  const why = (members: Partial<LineCandidate>, limits = LIMITS) => heldBack(candidate(members), limits, 2)

  it('allows growth as a share of the mean first token, up to a limit', () => {
    expect(allowedGrowth(LIMITS, 40)).equal(2)
    expect(allowedGrowth(LIMITS, 4000)).equal(50)
    expect(allowedGrowth({ ...LIMITS, growth: 0 }, 40)).equal(0)
    expect(growthOf(1, 2)).equal(3.5)
  })

  it('sends a line to a backend that has capacity to spare', () => {
    expect(why({})).equal(null)
  })

  it('computes one prompt at a time, and none while an interactive request waits', () => {
    expect(why({ queued: 1 })).equal('prompt')
    expect(why({ queuedLines: 1 })).equal('prompt')
  })

  it('keeps growth and steps within their limits', () => {
    expect(why({ addedMs: 1, metMs: 0.5 })).equal(null)
    expect(why({ addedMs: 1, metMs: 0.6 })).equal('growth')
    expect(heldBack(candidate({ addedMs: 3 }), LIMITS, 50)).equal(null)
    expect(heldBack(candidate({ addedMs: 3.1 }), LIMITS, 50)).equal('decode')
  })

  it('keeps places and a part of the cache for interactive requests', () => {
    expect(why({ lines: 32 })).equal('room')
    expect(why({ heldByLines: 20_000 })).equal(null)
    expect(why({ heldByLines: 20_001 })).equal('room')
    expect(why({ heldByLines: 6000 }, { ...LIMITS, max_cache_share: 0.05 })).equal('room')
    expect(why({ heldByLines: 10_000, heldByOthers: 80_000 })).equal(null)
    expect(why({ heldByLines: 10_000, heldByOthers: 80_001 })).equal('room')
  })

  it('fills an offline model, with short prompts together', () => {
    const offline = (members: Partial<LineCandidate>) => heldBackOffline(candidate(members), LIMITS)
    expect(offline({ addedMs: 100, metMs: 100, heldByLines: 90_000 })).equal(null)
    expect(offline({ heldByLines: 90_001 })).equal('room')
    expect(offline({ lines: 32 })).equal('room')
    expect(offline({ queuedLines: 3, queuedLinesMs: 50 })).equal(null)
    expect(offline({ queuedLines: 1, queuedLinesMs: 51 })).equal('prompt')
    expect(offline({ queued: 1 })).equal('prompt')
  })

  it('limits lines to a share of the places, to three quarters offline, and to slots without places', () => {
    expect(maxLines(LIMITS, 10, false)).equal(10)
    expect(maxLines(LIMITS, 10, true)).equal(7)
    expect(maxLines({ ...LIMITS, max_share: 0.5 }, 10, false)).equal(5)
    expect(maxLines({ ...LIMITS, max_share: 0.5 }, 10, true)).equal(5)
    expect(maxLines({ ...LIMITS, max_share: 0.3 }, 10, false)).equal(3)
    expect(maxLines(LIMITS, undefined, true)).equal(32)
    expect(maxLines({ ...LIMITS, max_share: 0.5 }, undefined, false)).equal(16)
    expect(maxLines(LIMITS, 1, true)).equal(1)
  })

  it('guards the mean of all interactive requests, and the slowest of them', () => {
    const guarded = (lossShare: number, meetingPerMs: number) =>
      isGuarded({ requestsPerMs: 0.1, lossShare, meetingPerMs }, LIMITS, 2)
    expect(guarded(0.2, 0.001)).equal(false)
    expect(guarded(0.21, 0)).equal(true)
    expect(guarded(0, 0.0011)).equal(true)
  })

  it('expects delays to grow where requests wait for each other', () => {
    expect(crowding(0, 40)).equal(1)
    expect(crowding(0.01, 50)).equal(2)
    expect(crowding(1, 1000)).closeTo(5, 1e-9)
  })

  it('lets answers of lines add more to a step with a larger growth', () => {
    expect(heldBack(candidate({ addedMs: 12 }), { ...LIMITS, growth: 0.2 }, 50)).equal(null)
    expect(heldBack(candidate({ addedMs: 12.1 }), { ...LIMITS, growth: 0.2 }, 50)).equal('decode')
  })

  it('notices prefills by their share of a first token', () => {
    expect(noticedMs(50, 40)).equal(50)
    expect(noticedMs(20, 40)).equal(5)
    expect(noticedMs(20, 0)).equal(20)
  })
})
