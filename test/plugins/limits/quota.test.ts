import { expect } from 'chai'
import type { Hooks } from '../../../lib/core/plugin.ts'
import { type Config, type FinishPhase, failure } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import quota from '../../../plugins/limits/quota/index.ts'
import { key, type QuotaUse } from '../../../plugins/slots.ts'
import { ManualClock } from '../../support/clock.ts'
import { OPTIONS } from '../../support/encoders.ts'
import { keyOf } from '../../support/key.ts'

const requests = { limit: 2, window: '1h' }
const config = {
  formats: OPTIONS,
  accounts: [],
  plans: { free: { tier: 'free', requests }, untiered: { requests }, pro: { tier: 'pro' } },
} as unknown as Config

const timeout = failure('backend_timeout', { model: 'm' })
const served = { error: undefined, brokeMidStream: false, requestSent: true }

describe('quota', () => {
  // 2025-06-15 15:06:41 UTC.
  let clock = new ManualClock()
  let services = { config, limits: testServices([], { clock }).limits }
  beforeEach(() => {
    clock = new ManualClock()
    services = { config, limits: testServices([], { clock }).limits }
  })
  const played = (plan: string | undefined, scene: Scene = {}) =>
    play(quota, { given: [[key, keyOf({ id: 'acme', plan })]], services, ...scene })

  it('refuses when the quota of the plan is used up, until the window ends', async () => {
    for (let i = 0; i < 2; i++) expect((await played('free')).error).equal(undefined)
    const { error } = await played('free')
    expect(error).include({ code: 'request_quota_exceeded', status: 429 })
    // pi ends at the first two words, Qwen Code at these and the reset.
    expect(error?.message).match(/^Quota exceeded: the 2 requests .* They will reset at 2025-06-15T16:00:00\.000Z\.$/)
    expect(error?.details.extra).deep.equal({
      request_limit: 2,
      window_end: '2025-06-15T16:00:00.000Z',
      plan_tier: 'free',
    })
    const seconds = String((Date.parse('2025-06-15T16:00:00Z') - clock.now()) / 1000)
    expect(error?.details.headers).deep.equal({
      'retry-after': seconds,
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    })
    clock.advance(Number(seconds) * 1000)
    expect((await played('free')).error).equal(undefined)
  })

  it('refuses with 402 and without Retry-After if the options of the key say so', async () => {
    const formats = { ...OPTIONS, errors: { used_up: 402 as const } }
    const given = [[key, keyOf({ id: 'acme', plan: 'free' }, { formats })]] as const
    for (let i = 0; i < 2; i++) await played('free')
    const { error } = await played('free', { given })
    expect(error).include({ code: 'request_quota_exceeded', status: 402 })
    expect(error?.headers).include({ 'x-should-retry': 'false', 'ratelimit-remaining': '0' })
    expect(error?.headers).not.have.property('retry-after')
  })

  it('omits an unknown tier', async () => {
    for (let i = 0; i < 2; i++) await played('untiered')
    const { error } = await played('untiered')
    expect(error?.details.extra).deep.equal({ request_limit: 2, window_end: '2025-06-15T16:00:00.000Z' })
  })

  it('has no limit for a plan without one, nor for an account without a plan', async () => {
    for (const plan of ['pro', undefined]) {
      for (let i = 0; i < 5; i++) expect((await played(plan)).error).equal(undefined)
    }
  })

  /** True if a counted request with this end stays counted. */
  function isCounted(ending: Partial<FinishPhase>): boolean {
    let isReturned = false
    const giveBack = () => {
      isReturned = true
    }
    const limits = { ...services.limits, quotas: { ...services.limits.quotas, giveBack } }
    const hooks = quota.setup({} as never, testServices([], { config, limits })) as Hooks
    const taken = { account: 'acme', limit: 2, windowMs: 1000, state: {} } as QuotaUse
    hooks.onFinish!({ ...served, ...ending, find: () => taken } as never)
    return !isReturned
  }

  it('counts requests that a backend has served, and those that failed or were cancelled meanwhile', () => {
    expect(isCounted({ outcome: 'done' })).equal(true)
    expect(isCounted({ outcome: 'client_gone' })).equal(true)
    expect(isCounted({ outcome: 'failed', error: timeout, brokeMidStream: true })).equal(true)
  })

  it('does not count requests that were refused or failed, or whose client disconnected before they were sent', () => {
    const refused = failure('insufficient_credits', {})
    expect(isCounted({ outcome: 'failed', error: timeout })).equal(false)
    expect(isCounted({ outcome: 'failed', error: refused, requestSent: false })).equal(false)
    expect(isCounted({ outcome: 'client_gone', requestSent: false })).equal(false)
  })

  it('returns what does not count', async () => {
    for (let i = 0; i < 5; i++) expect((await played('free', { outcome: 'client_gone' })).error).equal(undefined)
    for (let i = 0; i < 2; i++) expect((await played('free')).error).equal(undefined)
    expect((await played('free')).error).include({ status: 429 })
  })

  it('admits in shadow mode, and returns only what it took', async () => {
    for (let i = 0; i < 2; i++) await played('free')
    for (let i = 0; i < 3; i++) {
      expect((await played('free', { options: { shadow: true }, outcome: 'client_gone' })).error).equal(undefined)
    }
    expect((await played('free')).error).include({ code: 'request_quota_exceeded' })
  })

  it('passes on_store_failure to the store, and fail_open in shadow mode', async () => {
    const asked: unknown[] = []
    const state = { allowed: true, remaining: 1, end: 0, resetMs: 1 }
    const take = (claim: unknown) => {
      asked.push(claim)
      return state
    }
    const away = { config, limits: { ...services.limits, quotas: { ...services.limits.quotas, take, giveBack() {} } } }
    await played('free', { services: away })
    await played('free', { services: away, options: { on_store_failure: 'fail_closed', shadow: true } })
    expect(asked).lengthOf(2)
    expect(asked[0]).include({ account: 'acme', limit: 2, enforced: true, onStoreFailure: 'local_share' })
    expect(asked[1]).include({ enforced: false, onStoreFailure: 'fail_open' })
  })
})
