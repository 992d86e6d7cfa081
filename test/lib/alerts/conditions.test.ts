import { expect } from 'chai'
import { toAccount } from '../../../lib/accounts/access.ts'
import {
  candidateFilter,
  downBackends,
  endedBatch,
  lowCredits,
  quotaWindow,
  usedQuota,
} from '../../../lib/alerts/conditions.ts'
import type { BatchRow } from '../../../lib/store/batches.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { SECRET } from '../../support/receiver.ts'

const config = configOf(`
alerts: { webhook: http://h, secret: ${SECRET}, credit_below_cents: [1000, 100], quota_used: [0.5, 1], backend_down_seconds: 60 }
plans: { p: { requests: { limit: 10, window: 1h } }, open: {} }
accounts:
  - { id: ${ACCOUNT_ID}, name: acme, plan: p, credits_cents: 1200 }
  - { id: 0c6c1a3e-2f7a-4d6e-9d3f-3a4b5c6d7e8f, name: free, plan: open }
${MODEL}`)
const alerts = config.alerts!
const [acme, free] = config.accounts.map(toAccount)
const NOW = Date.UTC(2026, 10, 21, 12, 30)
const bodies = (found: readonly { body: string }[]) => found.map(({ body }) => JSON.parse(body))

describe('conditions of alerts', () => {
  it('are true for prepaid balances below each threshold', () => {
    const low = (cents: number) =>
      lowCredits(alerts, [acme!, free!], new Map([[ACCOUNT_ID, (cents - 1200) * 1e6]]), NOW)
    expect(low(1000)).deep.equal([])
    expect(low(999.9).map(({ name }) => name)).deep.equal([`credits.low:${ACCOUNT_ID}:1000`])
    expect(bodies(low(-5))).deep.equal(
      [1000, 100].map(threshold_cents => ({
        ...{ type: 'credits.low', timestamp: '2026-11-21T12:30:00.000Z' },
        data: { account_id: ACCOUNT_ID, account: 'acme', credits_available_cents: -5, threshold_cents },
      })),
    )
    expect(lowCredits(alerts, [acme!], new Map(), NOW)).deep.equal([])
  })

  it('filter the accounts of the store by the highest threshold and the smallest share', () => {
    const fromDay = Date.UTC(2026, 10, 21) / 86_400_000
    expect(candidateFilter(alerts, config, NOW)).deep.equal({
      creditBelowCents: 1000,
      quotas: [{ plan: 'p', fromDay, requests: 5 }],
    })
    const none = { ...alerts, credit_below_cents: [], quota_used: [] }
    expect(candidateFilter(none, config, NOW)).deep.equal({ creditBelowCents: undefined, quotas: [] })
  })

  it('are true for shares of a quota, once per window', () => {
    expect(quotaWindow(config, free!, NOW)).equal(undefined)
    const window = quotaWindow(config, acme!, NOW)!
    expect(window).deep.equal({ limit: 10, from: Date.UTC(2026, 10, 21, 12), to: Date.UTC(2026, 10, 21, 13) })
    const used = (count: number) => usedQuota(alerts, acme!, window, count, NOW)
    expect([used(4).length, used(5).length, used(10).length]).deep.equal([0, 1, 2])
    expect(bodies(used(5))[0]).deep.equal({
      ...{ type: 'quota.used', timestamp: '2026-11-21T12:30:00.000Z' },
      data: {
        ...{ account_id: ACCOUNT_ID, account: 'acme', request_limit: 10, requests: 5, share: 0.5 },
        window_end: '2026-11-21T13:00:00.000Z',
      },
    })
    const next = usedQuota(alerts, acme!, quotaWindow(config, acme!, NOW + 3_600_000)!, 5, NOW)
    expect(next[0]!.name).not.equal(used(5)[0]!.name)
  })

  it('are true for backends that are down for long enough', () => {
    const down = (since: number) => downBackends(alerts, [{ model: 'm', address: 'http://a', since }], NOW)
    expect(down(NOW - 59_999)).deep.equal([])
    expect(bodies(down(NOW - 60_000))).deep.equal([
      {
        ...{ type: 'backend.down', timestamp: '2026-11-21T12:30:00.000Z' },
        data: { model: 'm', backend: 'http://a', down_since: '2026-11-21T12:29:00.000Z' },
      },
    ])
  })

  it('are true once for a batch that has completed, failed or expired', () => {
    const counts = { total: 5, completed: 3, failed: 1, cancelled: 0, expired: 1 }
    const times = { completed_at: null, failed_at: null, expired_at: null, cancelled_at: null }
    const batch = (status: string, at: number) =>
      ({ id: 'batch_1', account_id: ACCOUNT_ID, ...counts, ...times, status, [`${status}_at`]: at }) as BatchRow
    const ended = endedBatch(batch('expired', NOW - 1000), NOW)!
    expect(ended).include({ name: 'batch.expired:batch_1', type: 'batch.expired' })
    expect(JSON.parse(ended.body)).deep.equal({
      ...{ type: 'batch.expired', timestamp: '2026-11-21T12:29:59.000Z' },
      data: { account_id: ACCOUNT_ID, batch_id: 'batch_1', status: 'expired', request_counts: counts },
    })
    expect(endedBatch(batch('completed', NOW), NOW)?.type).equal('batch.completed')
    expect(endedBatch(batch('failed', NOW), NOW)?.type).equal('batch.failed')
    expect(endedBatch(batch('cancelled', NOW), NOW)).equal(undefined)
    expect(endedBatch(batch('completed', NOW - 86_400_001), NOW)).equal(undefined)
  })
})
