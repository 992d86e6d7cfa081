import { expect } from 'chai'
import { MemoryQuotas, StoredQuotas } from '../../../../lib/limits/memory/quotas.ts'
import { ManualClock } from '../../../support/clock.ts'
import { quotaOf } from '../../../support/limits.ts'

const HOUR = 3_600_000

describe('MemoryQuotas', () => {
  it('start from zero at the boundary and not before', () => {
    const clock = new ManualClock()
    const quotas = new MemoryQuotas(clock)
    const first = quotas.take(quotaOf('a', 1, HOUR))
    expect(first.resetMs).equal(first.end - clock.now())
    clock.advance(first.resetMs - 1)
    expect(quotas.take(quotaOf('a', 1, HOUR))).deep.equal({ allowed: false, remaining: 0, end: first.end, resetMs: 1 })
    clock.advance(1)
    expect(quotas.take(quotaOf('a', 1, HOUR))).deep.equal({
      allowed: true,
      remaining: 0,
      end: first.end + HOUR,
      resetMs: HOUR,
    })
  })

  it('do not start from zero if the clock is set back', () => {
    const clock = new ManualClock()
    const quotas = new MemoryQuotas(clock)
    const { end } = quotas.take(quotaOf('a', 1, HOUR))
    clock.advance(-2 * HOUR)
    expect(quotas.take(quotaOf('a', 1, HOUR))).include({ allowed: false, end })
  })

  it('give nothing back to a later window, and never more than was counted', () => {
    const clock = new ManualClock()
    const quotas = new MemoryQuotas(clock)
    const state = quotas.take(quotaOf('a', 2, HOUR))
    clock.advance(HOUR)
    quotas.take(quotaOf('a', 2, HOUR))
    quotas.giveBack('a', 'x', HOUR, state)
    expect(quotas.take(quotaOf('a', 2, HOUR))).include({ allowed: true, remaining: 0 })
    const later = quotas.take(quotaOf('b', 2, HOUR))
    for (let i = 0; i < 3; i++) quotas.giveBack('b', 'x', HOUR, later)
    expect(quotas.take(quotaOf('b', 2, HOUR))).include({ remaining: 1 })
  })

  it('drop only windows that have ended', () => {
    const clock = new ManualClock()
    const quotas = new MemoryQuotas(clock)
    const { resetMs } = quotas.take(quotaOf('a', 1, HOUR))
    quotas.sweep()
    expect(quotas.take(quotaOf('a', 1, HOUR))).include({ allowed: false })
    clock.advance(resetMs)
    quotas.sweep()
    expect(quotas.take(quotaOf('a', 1, HOUR))).include({ allowed: true })
  })
})

describe('StoredQuotas', () => {
  const clock = new ManualClock()
  /** Quotas over a store that has this number of requests of each window. */
  const over = (stored: number | Promise<number>, asked: string[] = []) =>
    new StoredQuotas(clock, {
      of(window) {
        asked.push(window)
        const totals = (charged: number) => ({ granted: 0, charged })
        return stored instanceof Promise ? stored.then(totals) : totals(stored)
      },
    })

  it('continue with the requests of the store', async () => {
    const asked: string[] = []
    const quotas = over(Promise.resolve(2), asked)
    const taken = await Promise.all([1, 2].map(() => quotas.take(quotaOf('a', 3, HOUR))))
    expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).deep.equal([
      [true, 0],
      [false, 0],
    ])
    expect(await quotas.used('a', HOUR)).include({ used: 3 })
    const start = clock.now() - (clock.now() % HOUR)
    expect(new Set(asked)).deep.equal(new Set([`a:budget:${HOUR}:${start}`]))
  })

  it('do not read the store for a window that begins later', () => {
    const asked: string[] = []
    const quotas = over(1, asked)
    clock.advance(HOUR)
    expect(quotas.take(quotaOf('a', 1, HOUR))).include({ allowed: true, remaining: 0 })
    expect(asked).deep.equal([])
  })

  it('count no request twice, and decide at once if the store is known', () => {
    const quotas = over(1)
    const take = () => quotas.take(quotaOf('a', 4, HOUR))
    expect([take(), take(), take(), take()].map(state => 'allowed' in state && state.allowed)).deep.equal([
      ...[true, true, true, false],
    ])
  })

  it('give a request back', async () => {
    const quotas = over(1)
    const state = await quotas.take(quotaOf('a', 2, HOUR))
    quotas.giveBack('a', 'x', HOUR, state)
    expect(await quotas.take(quotaOf('a', 2, HOUR))).include({ allowed: true, remaining: 0 })
  })

  it('have used what the store has before the first request', async () => {
    expect(await over(7).used('a', HOUR)).include({ used: 7 })
  })
})
