import { expect } from 'chai'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { LedgerView } from '../../../../lib/limits/ledger.ts'
import { MemoryCredits } from '../../../../lib/limits/memory/credits.ts'
import { ManualClock } from '../../../support/clock.ts'
import { eventually } from '../../../support/gateway.ts'
import { creditOf, TestLedger } from '../../../support/limits.ts'

describe('MemoryCredits', () => {
  const views: LedgerView[] = []
  afterEach(() => {
    for (const view of views.splice(0)) view.close()
  })

  const setUp = () => {
    const clock = new ManualClock()
    const ledger = new TestLedger()
    const view = ledger.view()
    views.push(view)
    return { clock, ledger, view, credits: new MemoryCredits(clock, view) }
  }

  it('are reserved at once if the account is cached', async () => {
    const { credits } = setUp()
    expect(credits.reserve(creditOf('a', 1))).instanceOf(Promise)
    await credits.reserve(creditOf('a', 1))
    expect(credits.reserve(creditOf('a', 1))).deep.equal({ allowed: true, availableMicrocents: 998 })
  })

  it('include the charges of an earlier process', async () => {
    const { credits, ledger } = setUp()
    ledger.entries.set('a', { granted: 50, charged: 1040 })
    expect(await credits.reserve(creditOf('a', 11))).deep.equal({ allowed: false, availableMicrocents: 10 })
  })

  it('are refused while the ledger is unavailable, unless configured otherwise', async () => {
    const { credits, ledger } = setUp()
    ledger.problem = new Error('away')
    try {
      await credits.reserve(creditOf('a', 1))
      expect.fail('it was admitted')
    } catch (error) {
      expect(error).instanceOf(GatewayError).include({ code: 'internal_error', status: 503 })
    }
    const open = { ...creditOf('a', 5000, 'x'), onStoreFailure: 'fail_open' } as const
    expect(await credits.reserve(open)).include({ allowed: true })
    credits.settle('a', 'x', 400)
    ledger.problem = null
    expect(await credits.reserve(creditOf('a', 601))).deep.equal({ allowed: false, availableMicrocents: 600 })
  })

  it('are read from the ledger again after an hour without use, except reservations', async () => {
    const { clock, credits, ledger, view } = setUp()
    await credits.reserve(creditOf('a', 100, 'x'))
    await credits.reserve(creditOf('b', 100, 'y'))
    credits.settle('a', 'x', 90)
    ledger.entries.set('a', { granted: 0, charged: 80 })
    clock.advance(3_600_001)
    credits.sweep()
    await eventually(async () => (await view.of('a')).charged === 80)
    expect(await credits.reserve(creditOf('a', 1001))).include({ availableMicrocents: 920 })
    expect(await credits.reserve(creditOf('b', 1001))).include({ availableMicrocents: 900 })
  })
})
