import { expect } from 'chai'
import {
  changeOf,
  lowBalance,
  type Subject,
  testEvent,
  usedBudgets,
  watchedBudgets,
} from '../../../lib/customer-alerts/conditions.ts'
import type { Budget } from '../../../lib/limits/windows.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 21, 12, 30)
const DAY_END = Date.UTC(2026, 10, 22)
const ACCOUNT = { id: 'a', name: 'acme', creditsCents: 500 }
const subject: Subject = { account: ACCOUNT, key: { id: 'key_1', label: 'ci' }, budgets: [] }
const daily: Budget = { amount: 200, window: '1d', windowMs: 24 * HOUR }
const bodyOf = (event: { readonly body: string }) => JSON.parse(event.body)

describe("conditions of customers' alerts", () => {
  it('watch budgets with windows of at least an hour', () => {
    expect(watchedBudgets(undefined)).deep.equal([])
    expect(watchedBudgets({ budget_cents: { amount: 200, window: '1d' } })).deep.equal([daily])
    const several = [
      { amount: 1, window: '59m' },
      { amount: 2, window: '1h' },
    ]
    expect(watchedBudgets({ budget_cents: several }).map(({ amount }) => amount)).deep.equal([2])
  })

  it('say how much of a budget is used, without the secret of the key', () => {
    const at = (microcents: number) =>
      usedBudgets(
        { id: 'alert_1', threshold: 0.8 },
        subject,
        [{ ...daily, spentMicrocents: microcents, end: DAY_END }],
        'EUR',
        NOW,
      )
    expect(at(159_999_999)).deep.equal([])
    const [crossing] = at(160_000_000)
    expect(crossing!.period).equal(`86400000:200:${DAY_END}`)
    expect(bodyOf(crossing!.event)).deep.equal({
      type: 'budget.used',
      timestamp: '2026-11-21T12:30:00.000Z',
      data: {
        ...{ alert_id: 'alert_1', account_id: 'a', account: 'acme', key_id: 'key_1', key_label: 'ci', threshold: 0.8 },
        ...{ used_cents: 160, limit_cents: 200, currency: 'EUR', window: '1d', window_end: '2026-11-22T00:00:00.000Z' },
      },
    })
  })

  it('name the most used budget first', () => {
    const month = {
      amount: 1000,
      window: '30d',
      windowMs: 720 * HOUR,
      spentMicrocents: 900_000_000,
      end: DAY_END + HOUR,
    }
    const day = { ...daily, spentMicrocents: 200_000_000, end: DAY_END }
    const found = usedBudgets({ id: 'x', threshold: 0.5 }, subject, [month, day], 'EUR', NOW)
    expect(found.map(({ event }) => bodyOf(event).data.window)).deep.equal(['1d', '30d'])
  })

  it('say how low a balance is, rounded down', () => {
    const own = { ...subject, key: null }
    const at = (microcents: number) => lowBalance({ id: 'alert_1', threshold: 100 }, own, microcents, 'USD', NOW)
    expect(at(100_000_000)).deep.equal([])
    expect(bodyOf(at(99_999_999)[0]!.event)).deep.include({
      type: 'balance.low',
      data: {
        ...{ alert_id: 'alert_1', account_id: 'a', account: 'acme', key_id: null, key_label: null },
        ...{ threshold_cents: 100, balance_cents: 99, currency: 'USD' },
      },
    })
    expect(bodyOf(testEvent('alert_1', own, NOW))).include({ type: 'alert.test' })
  })

  describe('raise', () => {
    const crossing = (period: string) => ({ period, event: { type: period, body: '{}' } })
    const day = `86400000:200:${DAY_END}`
    const raised = (change: ReturnType<typeof changeOf>) => change?.event?.type

    it('one event per window', () => {
      const first = changeOf({ crossed: '', event_at: null }, [crossing(day)], NOW)
      expect(first).deep.equal({ crossed: day, event: { type: day, body: '{}' } })
      expect(changeOf({ crossed: day, event_at: null }, [crossing(day)], NOW)).equal(undefined)
      // Costs that fall again, by a price, arm nothing.
      expect(changeOf({ crossed: day, event_at: null }, [], NOW)).equal(undefined)
      const next = `86400000:200:${DAY_END + 24 * HOUR}`
      expect(raised(changeOf({ crossed: day, event_at: null }, [crossing(next)], DAY_END + 1))).equal(next)
      // A process whose clock is late knows the last window for another hour.
      expect(changeOf({ crossed: day, event_at: null }, [], DAY_END + HOUR - 1)).equal(undefined)
      expect(changeOf({ crossed: day, event_at: null }, [], DAY_END + HOUR)).deep.equal({
        crossed: '',
        event: undefined,
      })
    })

    it('one event until the balance has risen', () => {
      expect(raised(changeOf({ crossed: '', event_at: null }, [crossing('low')], NOW))).equal('low')
      expect(changeOf({ crossed: 'low', event_at: null }, [crossing('low')], NOW)).equal(undefined)
      expect(changeOf({ crossed: 'low', event_at: null }, [], NOW)).deep.equal({ crossed: '', event: undefined })
    })

    it('one event an hour, and the next one when the hour has passed', () => {
      const before = { crossed: '', event_at: (NOW - HOUR + 1) * 1000 }
      expect(changeOf(before, [crossing('low')], NOW)).equal(undefined)
      expect(raised(changeOf(before, [crossing('low')], NOW + 1))).equal('low')
      const two = [crossing(day), crossing(`3600000:9:${DAY_END}`)]
      const one = changeOf({ crossed: '', event_at: null }, two, NOW)!
      expect(one.crossed).equal(day)
      expect(changeOf({ crossed: one.crossed, event_at: NOW * 1000 }, two, NOW + HOUR - 1)).equal(undefined)
      expect(changeOf({ crossed: one.crossed, event_at: NOW * 1000 }, two, NOW + HOUR)?.crossed).equal(
        `${day} 3600000:9:${DAY_END}`,
      )
    })
  })
})
