import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type Ledger, LedgerView, NO_ENTRIES } from '../../../lib/limits/ledger.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { TestLedger } from '../../support/limits.ts'

describe('LedgerView', () => {
  const views: LedgerView[] = []
  const view = (ledger: Ledger, options: ConstructorParameters<typeof LedgerView>[1] = {}) => {
    const made = new LedgerView(ledger, { everyMs: 100_000, ...options })
    views.push(made)
    return made
  }
  afterEach(() => {
    for (const one of views.splice(0)) one.close()
  })

  it('reads an account once for concurrent callers, and then answers from its cache', async () => {
    const ledger = new TestLedger()
    ledger.entries.set('a', { granted: 5, charged: 2 })
    const totals = view(ledger)
    const [first, second] = await Promise.all([totals.of('a'), totals.of('a')])
    expect(first).deep.equal({ granted: 5, charged: 2 })
    expect(second).equal(first)
    expect(totals.of('a')).equal(first)
    expect(ledger.reads).equal(1)
    expect(await totals.of('b')).equal(NO_ENTRIES)
  })

  it('reads the ledger in the background, and uses its cache while it is unavailable', async () => {
    const ledger = new TestLedger()
    const totals = view(ledger, { everyMs: 5 })
    await totals.of('a')
    const granted = async () => (await totals.of('a')).granted
    ledger.entries.set('a', { granted: 1, charged: 0 })
    await eventually(async () => (await granted()) === 1, 'the new entry')
    ledger.problem = new Error('away')
    ledger.entries.set('a', { granted: 2, charged: 0 })
    const { reads } = ledger
    await eventually(() => ledger.reads > reads + 1, 'another reading')
    expect(await granted()).equal(1)
    ledger.problem = null
    await eventually(async () => (await granted()) === 2, 'the last entry')
  })

  it('does not read again while a slow read is pending', async () => {
    const waiting: (() => void)[] = []
    const slow: Ledger = { totals: () => new Promise(resolve => waiting.push(() => resolve(new Map()))) }
    const totals = view(slow, { everyMs: 5 })
    const first = totals.of('a')
    waiting.pop()!()
    await first
    await eventually(() => waiting.length > 0, 'a refresh')
    await sleep(50)
    expect(waiting).lengthOf(1)
    waiting.pop()!()
    await eventually(() => waiting.length > 0, 'another refresh')
  })

  const rejects = async (work: unknown): Promise<string> => {
    try {
      await work
    } catch (error) {
      return (error as Error).message
    }
    throw new Error('it did not reject')
  }

  it('rejects soon without a cached value, and reads again for the next caller', async () => {
    const ledger = new TestLedger()
    ledger.problem = new Error('away')
    const totals = view(ledger)
    expect(await rejects(totals.of('a'))).equal('away')
    ledger.problem = null
    expect(await totals.of('a')).equal(NO_ENTRIES)
    const silent = view({ totals: () => new Promise(() => {}) }, { timeoutMs: 20 })
    expect(await rejects(silent.of('a'))).equal('the ledger did not answer in time')
  })

  it('drops unused accounts, but none while the store is unavailable', async () => {
    const ledger = new TestLedger()
    const clock = new ManualClock()
    const totals = view(ledger, { clock, everyMs: 5 })
    const refreshed = async () => {
      const { reads } = ledger
      await eventually(() => ledger.reads > reads + 1, 'a refresh')
    }
    await Promise.all([totals.of('a'), totals.of('b'), totals.of('c')])
    clock.advance(200_000)
    totals.of('b')
    clock.advance(200_000)
    ledger.problem = new Error('away')
    await refreshed()
    expect(totals.of('c')).not.instanceOf(Promise)
    ledger.problem = null
    await refreshed()
    expect(totals.of('a')).instanceOf(Promise)
    expect(totals.of('b')).not.instanceOf(Promise)
  })
})
