import { expect } from 'chai'
import { type Config, failure } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import credits from '../../../plugins/limits/credits/index.ts'
import { batchLine, charge, chat, key, target, usage } from '../../../plugins/slots.ts'
import { chatRequest, model, targetOf } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'
import { answerOf, creditOf } from '../../support/limits.ts'
import { newUsage } from '../../support/reply-usage.ts'

const pricing = { input: 10, cached_input: 2, output: 40 }
const books = { broken_streams: 'free' } as const
const config = { topup_url: 'https://example.com/topup', listen: {}, credits: books } as unknown as Config
/** At most 100 tokens of output; of input 40 for the prompt, 8 for its message, and 4 for 4 letters and 2 symbols. */
const request = chatRequest({ maxTokens: 100, messages: [{ role: 'user', content: 'Hello!' }] })
const RESERVED = 100 * 40 + 51 * 10

describe('credits', () => {
  let services = { config, limits: testServices().limits }
  beforeEach(() => {
    services = { config, limits: testServices().limits }
  })
  const played = (creditsCents: number | undefined, scene: Scene = {}, priced = true) => {
    const own = model({}, priced ? { pricing } : {})
    const counted = { ...newUsage(), inputTokens: 9, outputTokens: 3, usagePresent: true }
    return play(credits, {
      given: [
        [key, keyOf({ id: 'acme', creditsCents })],
        [chat, request],
        [target, targetOf(own)],
        [usage, counted],
      ],
      services,
      ...scene,
    })
  }
  /** Starts at 1000 micro-cents, as creditOf() has it: negative numbers are spent. */
  const available = async () => {
    const { availableMicrocents } = await answerOf(services.limits.credits.reserve(creditOf('acme', 1e12)))
    return availableMicrocents - 1000
  }

  it('charges what a request has used', async () => {
    const { error, exchange } = await played(1)
    expect(error).equal(undefined)
    expect(exchange.find(charge)).include({ reserved: RESERVED, microcents: 9 * 10 + 3 * 40 })
    expect(await available()).equal(-210)
  })

  /** What is known of a line of a batch that has used 9 input and 3 output tokens. */
  const lineOf = (priceFactor: number, kept: Promise<boolean>) => [
    [key, keyOf({ id: 'acme', creditsCents: 1 })] as const,
    [chat, request] as const,
    [target, targetOf(model({}, { pricing }))] as const,
    [usage, { ...newUsage(), inputTokens: 9, outputTokens: 3, usagePresent: true }] as const,
    [batchLine, { batch: 'batch_1', line: 1, priceFactor, keep: () => {}, kept }] as const,
  ]

  it('reserves and charges the price of batches for a line, and nothing if it was aborted', async () => {
    const given = lineOf(0.5, Promise.resolve(true))
    const aborted = await played(1, { surface: 'batch', given, outcome: 'client_gone' })
    expect(aborted.exchange.find(charge)).include({ reserved: RESERVED / 2, microcents: null })
    expect(await available()).equal(0)
    const { exchange } = await played(1, { surface: 'batch', given })
    expect(exchange.find(charge)).include({ microcents: 105 })
    expect(await available()).equal(-105)
  })

  it('charges a line when its result is durable, and nothing when it will not be', async () => {
    const { credits } = services.limits
    const settled: number[] = []
    const settle = (account: string, id: string, microcents: number) => {
      settled.push(microcents)
      credits.settle(account, id, microcents)
    }
    const limits = { ...services.limits, credits: { ...credits, settle, reserve: credits.reserve.bind(credits) } }
    for (const isKept of [true, false]) {
      const kept = Promise.withResolvers<boolean>()
      const given = lineOf(1, kept.promise)
      await played(1, { surface: 'batch', given, services: { config, limits } })
      expect(settled).length(isKept ? 0 : 1)
      kept.resolve(isKept)
      await kept.promise
    }
    expect(settled).deep.equal([210, 0])
    expect(await available()).equal(-210)
  })

  it('refuses a line that the balance does not cover', async () => {
    const { error } = await played(0, { surface: 'batch' })
    expect(error).include({ code: 'insufficient_credits', status: 402 })
  })

  it('reserves the estimate while the request runs', async () => {
    const seen: unknown[] = []
    const { credits: real } = services.limits
    const watched = {
      reserve: (claim: Parameters<typeof real.reserve>[0]) => {
        seen.push(claim)
        return real.reserve(claim)
      },
      settle: async (account: string, id: string, microcents: number) => {
        seen.push([await available(), microcents])
        real.settle(account, id, microcents)
      },
      release: real.release.bind(real),
    }
    const { exchange } = await played(1, { services: { config, limits: { ...services.limits, credits: watched } } })
    expect(seen[0]).deep.equal({
      account: 'acme',
      id: exchange.id,
      microcents: RESERVED,
      initialMicrocents: 1_000_000,
      enforced: true,
      onStoreFailure: 'fail_closed',
    })
    await new Promise(setImmediate)
    expect(seen[1]).deep.equal([-RESERVED, 210])
  })

  it('refuses what the balance does not cover, with three amounts and a URL', async () => {
    const { error, exchange } = await played(0)
    expect(error).include({ code: 'insufficient_credits', status: 402, type: 'insufficient_credits' })
    expect(error?.details.extra).deep.equal({
      credits_available_cents: 0,
      credits_required_cents_estimate: 1,
      topup_url: 'https://example.com/topup',
    })
    expect(exchange.find(charge)).equal(null)
    expect(await available()).equal(0)
  })

  it('links the page of the gateway if no URL is configured', async () => {
    const own = { ...services, config: { credits: books } as unknown as Config }
    const headers = { host: 'pass.example.com:8443' }
    const plain = await played(0, { services: own, headers })
    expect(plain.error?.details.extra).include({
      topup_url: 'http://pass.example.com:8443/docs/errors/insufficient_credits',
    })
  })

  it('releases the reservation when the request fails', async () => {
    const ending = failure('backend_http_error', { model: 'm' })
    const { exchange } = await played(1, { chunks: [], ending, outcome: 'failed' })
    expect(exchange.find(charge)).include({ microcents: null })
    expect(await available()).equal(0)
  })

  it('ignores accounts without prepaid credit and models without a price', async () => {
    expect((await played(undefined)).exchange.find(charge)).equal(null)
    expect((await played(0, {}, false)).error).equal(undefined)
    expect(await available()).equal(0)
  })

  it('serves in shadow mode what a balance does not cover, without charge', async () => {
    const options = { shadow: true }
    const { error, exchange } = await played(0, { options })
    expect(error).equal(undefined)
    expect(exchange.find(charge)).equal(null)
    expect((await played(1, { options })).exchange.find(charge)).include({ microcents: 210 })
    expect(await available()).equal(-210)
  })

  it('passes on_store_failure to the store, and fail_open in shadow mode', async () => {
    const asked: unknown[] = []
    const reserve = (claim: unknown) => {
      asked.push(claim)
      return { allowed: true, availableMicrocents: 1 }
    }
    const away = {
      config,
      limits: { ...services.limits, credits: { ...services.limits.credits, reserve, settle() {} } },
    }
    await played(1, { services: away })
    await played(1, { services: away, options: { on_store_failure: 'fail_closed', shadow: true } })
    expect(asked).lengthOf(2)
    expect(asked[0]).include({ account: 'acme', microcents: RESERVED, enforced: true, onStoreFailure: 'fail_closed' })
    expect(asked[1]).include({ enforced: false, onStoreFailure: 'fail_open' })
  })

  it('charges the complete usage of a request, also if the estimate was too low', async () => {
    const { exchange } = await played(1, {
      given: [
        [key, keyOf({ id: 'acme', creditsCents: 1 })],
        [chat, request],
        [target, targetOf(model({}, { pricing }))],
        [usage, { ...newUsage(), inputTokens: 1000, outputTokens: 100, usagePresent: true }],
      ],
    })
    expect(exchange.find(charge)).include({ reserved: RESERVED, microcents: 14_000 })
    expect(await available()).equal(-14_000)
  })
})
