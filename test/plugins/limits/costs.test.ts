import { expect } from 'chai'
import { costOfExchange } from '../../../plugins/limits/costs.ts'
import { newUsage } from '../../support/reply-usage.ts'

describe('the cost of a request', () => {
  const pricing = { input: 10, cached_input: 2, output: 40 }
  const price = { pricing, factor: 1 }
  const counted = (members: Partial<ReturnType<typeof newUsage>>) => ({ ...newUsage(), ...members })
  const whole = { outcome: 'done', brokeMidStream: false, surface: 'gateway' } as const

  it('has a separate price for input from the cache', () => {
    const used = counted({ inputTokens: 100, cacheReadTokens: 60, outputTokens: 7 })
    expect(costOfExchange(whole, price, used, null, 'free')).equal(40 * 10 + 60 * 2 + 7 * 40)
  })

  it('is what the record has when the client has disconnected', () => {
    const left = { outcome: 'client_gone', brokeMidStream: false, surface: 'gateway' } as const
    expect(costOfExchange(left, price, counted({ inputTokens: 30, outputTokens: 4 }), null, 'free')).equal(460)
    expect(costOfExchange(left, price, counted({}), null, 'free')).equal(0)
  })

  it('is zero if the request failed, with any usage', () => {
    const used = counted({ inputTokens: 30, outputTokens: 4 })
    const failed = { outcome: 'failed', brokeMidStream: false, surface: 'gateway' } as const
    expect(costOfExchange(failed, price, used, null, 'delivered')).equal(0)
  })

  it('of a broken stream is zero, or that of the delivered part', () => {
    const used = counted({ inputTokens: 30, outputTokens: 4 })
    const broken = { outcome: 'failed', brokeMidStream: true, surface: 'gateway' } as const
    expect(costOfExchange(broken, price, used, null, 'free')).equal(0)
    expect(costOfExchange(broken, price, used, null, 'delivered')).equal(460)
  })

  it('of a line of a batch has the factor of its plan, and is zero if the line was aborted', () => {
    const used = counted({ inputTokens: 100, cacheReadTokens: 60, outputTokens: 7 })
    const line = { outcome: 'done', brokeMidStream: false, surface: 'batch' } as const
    const half = { pricing, factor: 0.5 }
    expect(costOfExchange(line, half, used, null, 'free')).equal((40 * 10 + 60 * 2 + 7 * 40) / 2)
    for (const outcome of ['client_gone', 'failed'] as const)
      expect(costOfExchange({ ...line, outcome }, half, used, null, 'delivered')).equal(0)
  })
})
