import { expect } from 'chai'
import type { LiveRow } from '../../../../lib/admin/live/dashboard.ts'
import { beliefTable } from '../../../../lib/admin/pages/beliefs.ts'
import { listBackends, seenBackends } from '../../../../lib/backends/backend-list.ts'
import { BackendPool } from '../../../../lib/backends/pool.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { ManualClock } from '../../../support/clock.ts'
import { LEARNT } from '../../../support/learnt.ts'
import { textIn } from '../../../support/operators.ts'

describe('the table of beliefs', () => {
  const backends = ['http://a/v1', 'http://b/v1'].map(url => backendConfig({ url }))
  const pool = new BackendPool([model({}, { backends })], new ManualClock(), { health: null })
  const seen = seenBackends([pool.snapshot(({ address }) => (address === 'http://a/v1' ? LEARNT : null))])
  const rows = listBackends([{ machine: 'gw', isStale: false, backends: seen }])

  it('links to the pages of models and backends', () => {
    expect(beliefTable(rows as unknown as LiveRow[]).toString())
      .contain(`href="/models/${rows[0]!.model}/history"`)
      .and.contain(`href="/backends/history?model=${rows[0]!.model}&amp;url=http%3A%2F%2Fa%2Fv1"`)
  })

  it('shows each value with its source, its samples, its last change and the word of the engine', () => {
    const text = textIn(beliefTable(rows as unknown as LiveRow[]).toString())
    for (const part of [
      '1,235 14 samples, changed 2026-11-21 12:00:00 contradicts the pool',
      '41.2 ms no samples',
      '5.7 ms configured',
      '420,000 reported by the engine',
    ])
      expect(text).contain(part)
    expect(text).contain(' a:80 ').and.not.contain(' b:80 ')
  })

  it('is absent if no model is routed by cost', () => {
    expect(beliefTable(rows.slice(1) as unknown as LiveRow[]).toString()).equal('')
  })
})
