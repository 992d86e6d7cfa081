import { expect } from 'chai'
import type { RequestLimitsConfig } from '../../../lib/config/config.ts'
import { type Config, failure } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import usageLimits from '../../../plugins/limits/usage-limits/index.ts'
import { batchLine, chat, endUser, key, target, usage } from '../../../plugins/slots.ts'
import { chatRequest, model, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { OPTIONS } from '../../support/encoders.ts'
import { keyOf } from '../../support/key.ts'
import { newUsage } from '../../support/reply-usage.ts'

const HOUR = 3_600_000
const CONFIG = { formats: OPTIONS, accounts: [], credits: { broken_streams: 'free' } }
const pricing = { input: 0, cached_input: 0, output: 1_000_000 }
const failed = failure('backend_http_error', { model: 'm' })

describe('usage-limits', () => {
  let clock = new ManualClock()
  let limits = testServices([], { clock }).limits
  beforeEach(() => {
    clock = new ManualClock()
    limits = testServices([], { clock }).limits
  })

  /** A request for `max` output tokens that used `used` of them. Each costs a cent. */
  const played = (
    own: { plan?: RequestLimitsConfig; key?: RequestLimitsConfig },
    max: number | undefined,
    used: number,
    scene: Scene = {},
  ) =>
    play(usageLimits, {
      ...scene,
      services: {
        limits,
        config: { ...CONFIG, plans: { p: { limits: own.plan } } } as unknown as Config,
        ...scene.services,
      },
      given: [
        [key, keyOf({ id: 'acme', plan: 'p' }, { limits: own.key })],
        [chat, chatRequest({ messages: [], ...(max !== undefined && { maxTokens: max }) })],
        [target, targetOf(model({}, { pricing, max_model_len: 1000 }))],
        [usage, { ...newUsage(), inputTokens: 0, outputTokens: used, usagePresent: true }],
        ...(scene.given ?? []),
      ],
    })
  const codeOf = async (...args: Parameters<typeof played>) => (await played(...args)).error?.code

  it('refuses a request above the tokens of the minute, with the headers of a 429', async () => {
    const own = { plan: { tokens_per_minute: 500 } }
    expect(await codeOf(own, 300, 300)).equal(undefined)
    clock.advance(10_000)
    const { error } = await played(own, 300, 300)
    expect(error).include({ code: 'rate_limit_exceeded', status: 429 })
    expect(error?.message).contain('500 tokens a minute of the plan of this account').and.contain('max_tokens')
    expect(error?.details.headers).deep.equal({
      ...{ 'retry-after': '50', 'ratelimit-limit': '500', 'ratelimit-remaining': '0', 'ratelimit-reset': '50' },
    })
    clock.advance(50_000)
    expect(await codeOf(own, 300, 300)).equal(undefined)
  })

  it('counts the usage instead of the estimate, and nothing of failed requests', async () => {
    const own = { key: { tokens_per_minute: 500 } }
    for (let i = 0; i < 3; i++) {
      expect(await codeOf(own, 400, 10)).equal(undefined)
      expect((await played(own, 400, 400, { outcome: 'failed', chunks: [], ending: failed })).error).equal(undefined)
    }
    expect(await codeOf(own, 400, 480)).equal(undefined)
    expect(await codeOf(own, 1, 1)).equal('rate_limit_exceeded')
  })

  it('admits a request without max_tokens if its prompt fits', async () => {
    const own = { key: { tokens_per_minute: 500 } }
    for (let i = 0; i < 5; i++) expect(await codeOf(own, undefined, 90), `request ${i}`).equal(undefined)
    expect(await codeOf(own, 200, 1)).equal('rate_limit_exceeded')
  })

  it('refuses what the budget of the window does not cover, until the next one', async () => {
    const own = { key: { budget_cents: { amount: 100, window: '1h' } } }
    expect(await codeOf(own, 60, 60)).equal(undefined)
    const { error } = await played(own, 60, 60)
    expect(error).include({ code: 'rate_limit_exceeded', status: 429 })
    const end = (Math.floor(clock.now() / HOUR) + 1) * HOUR
    expect(error?.message).contain('100 cents in 1h of this key').and.contain(new Date(end).toISOString())
    const seconds = String(Math.ceil((end - clock.now()) / 1000))
    expect(error?.details.headers).deep.equal({
      ...{ 'retry-after': seconds, 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': seconds },
    })
    expect(await codeOf(own, 40, 40)).equal(undefined)
    clock.advance(end - clock.now())
    expect(await codeOf(own, 60, 60)).equal(undefined)
  })

  it('never suggests an immediate retry, and has integer cents in headers', async () => {
    const refused = async (limits: RequestLimitsConfig, refusal: object) => {
      const services = { limits: { ...testServices([], { clock }).limits, ...refusal } } as never
      return (await played({ plan: limits }, 10, 1, { services })).error
    }
    const take = () => ({ allowed: false, amount: 0, remaining: 0, resetMs: 0, second: 0 })
    const tokens = await refused({ tokens_per_minute: 7 }, { rates: { ...limits.rates, take } })
    expect(tokens?.details.headers).include({ 'retry-after': '1', 'ratelimit-limit': '7' })
    const reserve = () => ({ allowed: false, remainingMicrocents: 0, end: 60_000, resetMs: 1500, window: '' })
    const budget = await refused({ budget_cents: { amount: 0.5, window: '1m' } }, { spendLimits: { reserve } })
    expect([tokens, budget].map(error => error?.headers['x-should-retry'])).deep.equal(['true', 'false'])
    expect(budget?.message)
      .match(/^Spend quota exceeded: .* 0\.5 cents in 1m of the plan of this account/)
      .and.match(/It will reset at 1970-01-01T00:01:00\.000Z\.$/)
    expect(budget?.details.headers).include({ 'retry-after': '2', 'ratelimit-limit': '1', 'ratelimit-remaining': '0' })
  })

  it('charges a budget with the cost of a request, and with nothing if it failed', async () => {
    const own = { plan: { budget_cents: { amount: 100, window: '1h' } } }
    await played(own, 90, 90, { outcome: 'failed', chunks: [], ending: failed })
    expect(await codeOf(own, 90, 5)).equal(undefined)
    expect(await codeOf(own, 95, 95)).equal(undefined)
    expect(await codeOf(own, 1, 1)).equal('rate_limit_exceeded')
  })

  it('counts a line of a batch in the budgets of plan and key, at the price of batches, and in no other limit', async () => {
    const line = { batch: 'batch_1', line: 1, priceFactor: 0.5, keep: () => {}, kept: Promise.resolve(true) }
    const scene: Scene = { surface: 'batch', given: [[batchLine, line]] }
    const others = { requests_per_minute: 1, concurrency: 1, tokens_per_minute: 1 }
    const one = { amount: 1, window: '1h' }
    const plan: RequestLimitsConfig = {
      budget_cents: { amount: 100, window: '1h' },
      models: { m: others },
      end_user: { from: 'user', label: false, requests_per_minute: 1, budget_cents: one },
    }
    for (const own of [{ plan: { ...others, ...plan } }, { key: { ...others, ...plan } }]) {
      for (let i = 0; i < 4; i++) expect(await codeOf(own, 40, 40, scene), `line ${i}`).equal(undefined)
      expect((await played(own, 41, 41, scene)).error).include({ code: 'rate_limit_exceeded', status: 429 })
      // An aborted line is free.
      expect(await codeOf(own, 40, 40, { ...scene, outcome: 'client_gone' })).equal(undefined)
      expect(await codeOf(own, 40, 40, scene)).equal(undefined)
      expect(await codeOf(own, 2, 2, scene)).equal('rate_limit_exceeded')
    }
    const small = { plan: { models: { m: { ...others, budget_cents: one } } } }
    expect(await codeOf(small, 2, 2, scene)).equal(undefined)
    expect(await codeOf(small, 2, 2, scene)).equal('rate_limit_exceeded')
  })

  it('counts a line in a budget when its result is durable, and not when it will not be', async () => {
    const own = { plan: { budget_cents: { amount: 100, window: '1h' } } }
    const line = { batch: 'batch_1', line: 1, priceFactor: 1, keep: () => {}, kept: Promise.resolve(false) }
    const scene: Scene = { surface: 'batch', given: [[batchLine, line]] }
    for (let i = 0; i < 2; i++) expect(await codeOf(own, 60, 60, scene)).equal(undefined)
    const waiting: Scene = { surface: 'batch', given: [[batchLine, { ...line, kept: new Promise<boolean>(() => {}) }]] }
    expect(await codeOf(own, 60, 10, waiting)).equal(undefined)
    expect(await codeOf(own, 60, 10, waiting), 'the reservation is kept').equal('rate_limit_exceeded')
  })

  it('takes nothing of one limit if another one refuses', async () => {
    const own = { plan: { tokens_per_minute: 1000 }, key: { budget_cents: { amount: 10, window: '1h' } } }
    for (let i = 0; i < 5; i++) expect(await codeOf(own, 400, 400)).equal('rate_limit_exceeded')
    expect(await codeOf({ plan: own.plan }, 1000, 1000)).equal(undefined)
  })

  it('makes no query if neither plan nor key has such limits', async () => {
    const refuse = () => {
      throw new Error('asked')
    }
    const none = {
      ...limits,
      rates: { ...limits.rates, take: refuse },
      spendLimits: { ...limits.spendLimits, reserve: refuse },
    }
    const { error } = await played({ plan: { concurrency: 3 } }, 10, 1, { services: { limits: none } as never })
    expect(error).equal(undefined)
  })

  it('keeps several budgets with different windows', async () => {
    const budgets = [
      { amount: 100, window: '1h' },
      { amount: 150, window: '1d' },
    ]
    const own = { key: { budget_cents: budgets } }
    expect(await codeOf(own, 100, 100)).equal(undefined)
    const { error } = await played(own, 1, 1)
    expect(error?.message).contain('100 cents in 1h of this key')
    clock.advance(HOUR)
    expect(await codeOf(own, 50, 50)).equal(undefined)
    expect((await played(own, 1, 1)).error?.message).contain('150 cents in 1d of this key')
  })

  describe('for a model', () => {
    const budget_cents = { amount: 100, window: '1h' }

    it('count only its requests, in addition to those of plan and key', async () => {
      const own = { plan: { models: { m: { requests_per_minute: 2 }, other: { requests_per_minute: 1 } } } }
      expect([await codeOf(own, 1, 1), await codeOf(own, 1, 1)]).deep.equal([undefined, undefined])
      expect(await codeOf({ ...own, key: { models: { m: { tokens_per_minute: 10 } } } }, 1, 1)).equal(
        'rate_limit_exceeded',
      )
      expect(await codeOf({ plan: { models: { other: { requests_per_minute: 1 } } } }, 1, 1)).equal(undefined)
    })

    it('limit tokens, money and requests in flight', async () => {
      const messageOf = async (block: object, max: number) =>
        (await played({ key: { models: { m: block } } }, max, max)).error?.message
      expect(await messageOf({ tokens_per_minute: 10 }, 10)).equal(undefined)
      expect(await messageOf({ tokens_per_minute: 10 }, 10)).contain("tokens a minute of this key for model 'm'")
      expect(await messageOf({ budget_cents }, 100)).equal(undefined)
      expect(await messageOf({ budget_cents }, 1)).contain("100 cents in 1h of this key for model 'm'")
      const lease = { account: 'acme', scope: 'k1:model=m', id: 'x', limit: 1, enforced: true } as const
      void limits.leases.take({ ...lease, onStoreFailure: 'local_share' })
      const { error } = await played({ key: { models: { m: { concurrency: 1 } } } }, 1, 1)
      expect(error).include({ code: 'concurrency_limit_exceeded', status: 429 })
      expect(error?.message).contain("Requests in flight of this key for model 'm' have reached their limit: 1.")
      limits.leases.release('acme', 'x', 'k1:model=m')
      for (let i = 0; i < 3; i++)
        expect(await codeOf({ key: { models: { m: { concurrency: 1 } } } }, 1, 1)).equal(undefined)
    })

    it('give a request back that another limit refuses', async () => {
      const models = { m: { requests_per_minute: 1 } }
      expect(await codeOf({ plan: { models, budget_cents } }, 101, 1)).equal('rate_limit_exceeded')
      expect(await codeOf({ plan: { models } }, 1, 1)).equal(undefined)
      expect(await codeOf({ plan: { models } }, 1, 1)).equal('rate_limit_exceeded')
    })
  })

  describe('for an end user', () => {
    const askedBy = (user: string | undefined, block: object, max = 1) => {
      const end_user = { from: 'user', label: true, ...block } as RequestLimitsConfig['end_user']
      return played({ plan: { end_user } as RequestLimitsConfig }, max, max, {
        route: 'chat',
        body: { ...(user !== undefined && { user }) },
      })
    }

    it('count each of them alone, with the codes of a key and the parameter user', async () => {
      const blocks = [
        { requests_per_minute: 1 },
        { tokens_per_minute: 1 },
        { budget_cents: { amount: 1, window: '1h' } },
      ]
      for (const [i, block] of blocks.entries()) {
        expect((await askedBy(`alice ${i}`, block)).error).equal(undefined)
        const { error } = await askedBy(`alice ${i}`, block)
        expect(error).include({ code: 'rate_limit_exceeded', status: 429 })
        expect(error?.details).include({ param: 'user' })
        expect((await askedBy(`bob ${i}`, block)).error).equal(undefined)
      }
      expect((await askedBy('alice 2', blocks[2]!)).error?.message).contain('1 cents in 1h of this end user')
    })

    it('count requests without a name together', async () => {
      expect((await askedBy(undefined, { requests_per_minute: 1 })).error).equal(undefined)
      const { error } = await askedBy('', { requests_per_minute: 1 })
      expect(error?.code).equal('rate_limit_exceeded')
      expect(error?.message).contain('of clients that name no end user')
    })

    it('provide the end user for records, also without a limit', async () => {
      const { exchange } = await askedBy('alice', {})
      const id = testServices().keyedHash('acme', 'alice')
      expect(exchange.find(endUser)).deep.equal({ id, label: 'alice' })
      expect((await played({}, 1, 1)).exchange.find(endUser)).equal(null)
    })
  })

  it('admits in shadow mode', async () => {
    const own = { key: { tokens_per_minute: 10, budget_cents: { amount: 1, window: '1h' } } }
    for (let i = 0; i < 4; i++) {
      const { error } = await played(own, 100, 100, { options: { shadow: true } })
      expect(error).equal(undefined)
    }
  })
})
