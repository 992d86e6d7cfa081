import { expect } from 'chai'
import { costOfExchange } from '../../../plugins/limits/costs.ts'
import { newUsage } from '../../support/reply-usage.ts'

describe('the cost of a request', () => {
  const pricing = { input: 10, cached_input: 2, output: 40 }
  const counted = (members: Partial<ReturnType<typeof newUsage>>) => ({ ...newUsage(), ...members })
  const whole = { outcome: 'done', brokeMidStream: false } as const

  it('has a separate price for input from the cache', () => {
    const used = counted({ inputTokens: 100, cacheReadTokens: 60, outputTokens: 7 })
    expect(costOfExchange(whole, pricing, used, null, 'free')).equal(40 * 10 + 60 * 2 + 7 * 40)
  })

  it('is what the record has when the client has disconnected', () => {
    const left = { outcome: 'client_gone', brokeMidStream: false } as const
    expect(costOfExchange(left, pricing, counted({ inputTokens: 30, outputTokens: 4 }), null, 'free')).equal(460)
    expect(costOfExchange(left, pricing, counted({}), null, 'free')).equal(0)
  })

  it('is zero if the request failed, with any usage', () => {
    const used = counted({ inputTokens: 30, outputTokens: 4 })
    const failed = { outcome: 'failed', brokeMidStream: false } as const
    expect(costOfExchange(failed, pricing, used, null, 'delivered')).equal(0)
  })

  it('of a broken stream is zero, or that of the delivered part', () => {
    const used = counted({ inputTokens: 30, outputTokens: 4 })
    const broken = { outcome: 'failed', brokeMidStream: true } as const
    expect(costOfExchange(broken, pricing, used, null, 'free')).equal(0)
    expect(costOfExchange(broken, pricing, used, null, 'delivered')).equal(460)
  })
})
