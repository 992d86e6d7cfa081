import { expect } from 'chai'
import { definePlugin, fail } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import limitHeaders from '../../../plugins/limits/limit-headers/index.ts'
import { charge, quotaUse, rateUse, usageReservations } from '../../../plugins/slots.ts'

const account = 'acme'
const rate = (perMinute: number, remaining: number) => ({
  ...{ account, name: 'inference', perMinute },
  state: { allowed: true, amount: 1, remaining, resetMs: 0, second: 1 },
})
const quota = (limit: number, remaining: number) => ({
  ...{ account, limit, windowMs: 1 },
  state: { allowed: true, remaining, end: 1, resetMs: 90_500 },
})
const budget = (cents: number, left: number) => ({
  limitMicrocents: cents * 1e6,
  state: { allowed: true, remainingMicrocents: left * 1e6, end: 1, resetMs: 5000, window: '' },
})
const pricing = { input: 1, cached_input: 1, output: 1 }

describe('limit-headers', () => {
  const headersOf = async (given: NonNullable<Parameters<typeof play>[1]>['given']) =>
    (await play(limitHeaders, { given: given! })).headers

  it('have the limit with the smallest remaining share', async () => {
    expect(
      await headersOf([
        [rateUse, [rate(100, 50), rate(10, 4)]],
        [quotaUse, quota(1000, 900)],
      ]),
    ).include({
      ...{ 'ratelimit-limit': '10', 'ratelimit-remaining': '4', 'ratelimit-reset': '60' },
      'x-service-quota-remaining': '900',
    })
    expect(
      await headersOf([
        [rateUse, [rate(100, 50)]],
        [quotaUse, quota(1000, 10)],
      ]),
    ).include({
      ...{ 'ratelimit-limit': '1000', 'ratelimit-remaining': '10', 'ratelimit-reset': '91' },
    })
  })

  it('have tokens and cents as integers, rounded down', async () => {
    const tokens = [{ ...rate(6000, 100), name: 'tokens' }]
    expect(await headersOf([[usageReservations, { account, tokens, budgets: [budget(20, 19.9)] }]])).include({
      ...{ 'ratelimit-limit': '6000', 'ratelimit-remaining': '100' },
      'x-service-budget-remaining-cents': '19',
    })
    expect(await headersOf([[usageReservations, { account, tokens: [], budgets: [budget(20, 0.5)] }]])).include({
      ...{ 'ratelimit-limit': '20', 'ratelimit-remaining': '0', 'ratelimit-reset': '5' },
    })
  })

  it('have the remaining prepaid balance, never negative, and none if it is unknown', async () => {
    const paid = (available: number) => ({ account, pricing, reserved: 1e6, available, microcents: null })
    const name = 'x-service-credits-available-cents'
    expect(await headersOf([[charge, paid(3.9e6)]])).include({ [name]: '2' })
    expect(await headersOf([[charge, paid(-5e6)]])).include({ [name]: '0' })
    expect(await headersOf([[charge, paid(Number.POSITIVE_INFINITY)]])).not.have.property(name)
  })

  it('are absent if no limit applies', async () => {
    const given = [
      [rateUse, []],
      [quotaUse, null],
      [usageReservations, null],
      [charge, null],
    ] as const
    expect(await headersOf(given)).deep.equal({})
    expect(await headersOf([])).deep.equal({})
  })

  it('do not replace the headers of a refusal by a limit', async () => {
    const refusing = definePlugin({
      ...limitHeaders,
      setup: async (options: never, services) => ({
        ...(await limitHeaders.setup(options, services)),
        onHeaders: () => fail('rate_limit_exceeded', { limit: 3 }),
      }),
    })
    const { headers } = await play(refusing as never, { given: [[rateUse, [rate(100, 50)]]] })
    expect(headers).not.have.property('ratelimit-limit')
  })
})
