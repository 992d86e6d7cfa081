import { expect } from 'chai'
import type { RouteName } from '../../../lib/console.ts'
import type { Hooks } from '../../../lib/core/plugin.ts'
import { type Config, definePlugin, type FinishPhase, fail, failure } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import rateLimit from '../../../plugins/limits/rate-limit/index.ts'
import { key, type RateUse } from '../../../plugins/slots.ts'
import { ManualClock } from '../../support/clock.ts'
import { keyOf } from '../../support/key.ts'

const config = {
  rate_limits_per_minute: { endpoints: 2, metrics: 3, requests: 4, request: 5, usage: 6 },
} as unknown as Config

describe('rate-limit', () => {
  let clock = new ManualClock()
  let services = { config, limits: testServices([], { clock }).limits }
  beforeEach(() => {
    clock = new ManualClock()
    services = { config, limits: testServices([], { clock }).limits }
  })
  const played = (route: RouteName, scene: Scene = {}) =>
    play(rateLimit, { given: [[key, keyOf({ id: 'acme' })]], services, route, ...scene })
  const admitted = async (route: RouteName, scene: Scene = {}): Promise<number> => {
    let count = 0
    while (count < 20 && (await played(route, scene)).error === undefined) count++
    return count
  }

  it('admits the configured number of requests per minute and route', async () => {
    expect(await admitted('endpoints')).equal(2)
    expect(await admitted('endpoint-metrics')).equal(3)
    expect(await admitted('endpoint-requests')).equal(4)
    expect(await admitted('endpoint-request')).equal(5)
    clock.advance(61_000)
    expect(await admitted('endpoints')).equal(2)
  })

  it('counts both usage routes together', async () => {
    for (let i = 0; i < 3; i++) expect((await played('usage-me')).error).equal(undefined)
    expect(await admitted('usage-team')).equal(3)
    expect(await admitted('usage-me')).equal(0)
  })

  it('counts management requests per key, and requests to models per account', async () => {
    const other = { given: [[key, keyOf({ id: 'acme' }, { id: 'k2' })]] } as const
    expect(await admitted('endpoints')).equal(2)
    expect(await admitted('endpoints', other)).equal(2)
    const options = { inference_per_minute: 3 }
    expect(await admitted('chat', { options })).equal(3)
    expect(await admitted('chat', { options, ...other })).equal(0)
    expect(await admitted('chat', { options, given: [[key, keyOf({ id: 'other' })]] })).equal(3)
  })

  it('refuses with the headers of every 429', async () => {
    clock.ms = 10_400
    await admitted('endpoints')
    const { error } = await played('endpoints')
    expect(error).include({ code: 'rate_limit_exceeded', status: 429 })
    expect(error?.message).equal('More than 2 requests a minute with this key: slow down.')
    expect(error?.details.headers).deep.equal({
      'retry-after': '60',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    })
  })

  it('limits requests to models if configured, over all routes', async () => {
    expect(await admitted('chat')).equal(20)
    const options = { inference_per_minute: 3 }
    expect(await admitted('chat', { options })).equal(3)
    expect(await admitted('messages', { options })).equal(0)
    expect(await admitted('endpoints', { options })).equal(2)
  })

  it('limits requests by their plan, in place of the option, and by their key', async () => {
    const plans = { p: { limits: { requests_per_minute: 4 } } }
    const own = { config: { ...config, plans } as unknown as Config, limits: services.limits }
    const scene = (id: string, perMinute?: number): Scene => ({
      services: own,
      options: { inference_per_minute: 1 },
      given: [
        [
          key,
          keyOf({ id: 'acme', plan: 'p' }, { id, limits: perMinute ? { requests_per_minute: perMinute } : undefined }),
        ],
      ],
    })
    expect(await admitted('chat', scene('k1', 1))).equal(1)
    const { error } = await played('chat', scene('k1', 1))
    expect(error?.details.headers).include({ 'ratelimit-limit': '1' })
    expect(error?.message).equal('More than 1 requests a minute with this key: slow down.')
    // The refused request of the key did not count for the account.
    expect(await admitted('chat', scene('k2'))).equal(3)
    expect((await played('chat', scene('k2'))).error?.message).contain(
      'on this account, which is the limit of its plan:',
    )
    const unplanned = { ...scene('k3'), given: [[key, keyOf({ id: 'acme' })]] } satisfies Scene
    expect(await admitted('chat', unplanned)).equal(0)
    expect((await played('chat', unplanned)).error?.message).contain('1 requests a minute on this account:')
  })

  /** True if a counted request with this end stays counted. */
  function isCounted(ending: Pick<FinishPhase, 'error' | 'backend'>): boolean {
    let isReturned = false
    const giveBack = () => {
      isReturned = true
    }
    const limits = { ...services.limits, rates: { ...services.limits.rates, giveBack } }
    const hooks = rateLimit.setup({} as never, testServices([], { config, limits })) as Hooks
    const uses: readonly RateUse[] = [{ account: 'acme', name: 'inference', perMinute: 1, state: {} as never }]
    hooks.onFinish!({ ...ending, find: () => uses } as never)
    return !isReturned
  }

  it('does not count what another limit has refused', async () => {
    const options = { inference_per_minute: 3 }
    for (const code of ['insufficient_credits', 'concurrency_limit_exceeded'] as const) {
      const error = code === 'insufficient_credits' ? failure(code, {}) : failure(code, { limit: 1 })
      expect(isCounted({ error, backend: null })).equal(false)
    }
    expect(isCounted({ error: undefined, backend: null })).equal(true)
    expect(isCounted({ error: failure('invalid_json_request', { problem: '' }), backend: null })).equal(true)
    expect(isCounted({ error: failure('backend_overloaded', { model: 'm' }), backend: 'http://b' })).equal(true)
    const below = definePlugin({
      ...rateLimit,
      setup: async (given: never, all) => ({
        ...(await rateLimit.setup(given, all)),
        onBody: () => fail('insufficient_credits', {}),
      }),
    })
    for (let i = 0; i < 5; i++) {
      const { error } = await play(below, { given: [[key, keyOf({ id: 'acme' })]], services, route: 'chat', options })
      expect(error).include({ code: 'insufficient_credits' })
    }
    expect(await admitted('chat', { options })).equal(3)
  })

  it('does not limit other routes', async () => {
    expect(await admitted('model-list', { options: { inference_per_minute: 1 } })).equal(20)
    expect(await admitted('count-tokens', { options: { inference_per_minute: 1 } })).equal(20)
  })

  it('delays a management request until it is decided, while a request to a model continues', async () => {
    const passed: string[] = []
    const watched = definePlugin({
      ...rateLimit,
      setup: async (given: never, all) => {
        const hooks = await rateLimit.setup(given, all)
        return {
          ...hooks,
          async onHeaders(exchange) {
            await hooks.onHeaders?.(exchange)
            passed.push(exchange.route.name)
          },
        }
      },
    })
    const take = async () => ({ allowed: false, amount: 0, remaining: 0, resetMs: 1000, second: 0 })
    const late = { config, limits: { ...services.limits, rates: { take, used: () => 0, giveBack() {}, settle() {} } } }
    for (const route of ['endpoints', 'chat'] as const) {
      const given = [[key, keyOf({ id: 'acme' })]] as const
      const { error } = await play(watched, { given, services: late, route, options: { inference_per_minute: 3 } })
      expect(error, route).include({ code: 'rate_limit_exceeded' })
    }
    expect(passed).deep.equal(['chat'])
  })

  it('passes on_store_failure to the store, and fail_open in shadow mode', async () => {
    const asked: unknown[] = []
    const state = { allowed: true, amount: 1, remaining: 1, resetMs: 0, second: 0 }
    const take = (claim: unknown) => {
      asked.push(claim)
      return state
    }
    const away = { config, limits: { ...services.limits, rates: { take, used: () => 0, giveBack() {}, settle() {} } } }
    await played('endpoints', { services: away })
    await played('endpoints', { services: away, options: { on_store_failure: 'fail_closed', shadow: true } })
    expect(asked).lengthOf(2)
    expect(asked[0]).include({ account: 'acme', perMinute: 2, enforced: true, onStoreFailure: 'local_share' })
    expect(asked[1]).include({ enforced: false, onStoreFailure: 'fail_open' })
  })

  it('admits in shadow mode', async () => {
    expect(await admitted('endpoints', { options: { shadow: true } })).equal(20)
    expect(await admitted('endpoints')).equal(0)
  })
})
