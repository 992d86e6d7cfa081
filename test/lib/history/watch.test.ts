import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { keepBackendHistory } from '../../../lib/history/watch.ts'
import { Predictions } from '../../../lib/routing/routed-backend.ts'
import type { RequestRecord } from '../../../lib/store/record.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { makeRecord } from '../../support/record.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const URL = 'http://a/v1'

describe('the history of backends of a process', () => {
  onEveryStore(store => {
    const start = (clock: ManualClock) => {
      const pool = new BackendPool([model({}, { id: 'm', backends: [backendConfig({ url: URL })] })], clock, {
        health: null,
      })
      const [backend] = pool.backends()
      const predictions = new Predictions()
      const metrics = new Metrics()
      const requests = metrics.counter({
        name: 'sluiceway_backend_requests_total',
        help: 'Requests.',
        labelNames: ['model', 'backend', 'outcome'],
      })
      const history = keepBackendHistory({
        ...{ store: store(), clock, log: silent, metrics, pool, days: 30, everyMs: 5 },
        routing: {
          *measured() {
            yield { backend: backend!, predictions, fill: 0.25 }
          },
        },
        queued: () => 2,
      })
      const passed: RequestRecord[] = []
      const sink = history.tap({ healthy: true, append: (record: RequestRecord) => void passed.push(record) })
      return { history, predictions, requests, sink, passed }
    }
    const rows = () => store().db.selectFrom('backend_minutes').selectAll().orderBy('minute').execute()

    it('is written once a minute, and at the end', async () => {
      const clock = new ManualClock()
      const { history, predictions, requests, sink, passed } = start(clock)
      const minute = Math.floor(clock.now() / 60_000)
      requests.inc({ model: 'm', backend: URL, outcome: 'failed' })
      predictions.add(100, 120)
      const record = makeRecord({ model_resolved: 'm', backend: URL, is_streaming: true, ttft_ms: 5 })
      sink.append(record)
      expect([sink.healthy, passed]).deep.equal([true, [record]])
      clock.advance(60_000)
      await eventually(async () => (await rows()).length === 2)
      requests.inc({ model: 'm', backend: URL, outcome: 'ok' })
      predictions.add(1, 2)
      history.reloaded()
      clock.advance(1000)
      await history.close()
      const found = await rows()
      expect(found.map(row => [row.minute - minute, row.backend])).deep.equal([
        [0, ''],
        [0, URL],
        [1, ''],
        [1, URL],
      ])
      expect(found[1]).deep.include({ requests: 1, failed: 1, predictions: 1, predicted_ms: 100, ttft_0: 1 })
      expect(found[3]).deep.include({ requests: 1, failed: 0, predictions: 1, predicted_ms: 1, measured_ms: 2 })
      expect(found[2]).deep.include({ queue_max: 2 })
      // A look at least every five seconds counts as the time between.
      expect(found[1]!.up_ms).within(1, 5000)
      expect(found[3]!.fill_ms).equal(250)
      expect(await store().db.selectFrom('backend_events').select('kind').execute()).deep.equal([{ kind: 'reload' }])
    })

    it('of two processes adds up', async () => {
      const all = [start(new ManualClock()), start(new ManualClock())]
      for (const [at, { requests }] of all.entries()) requests.inc({ model: 'm', backend: URL, outcome: 'ok' }, at + 1)
      await Promise.all(all.map(({ history }) => history.close()))
      const found = await rows()
      expect(found.map(({ backend, requests, queue_max }) => [backend, requests, queue_max])).deep.equal([
        ['', 0, 4],
        [URL, 3, 0],
      ])
    })
  })
})
