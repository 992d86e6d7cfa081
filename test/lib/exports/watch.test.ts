import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { systemClock } from '../../../lib/base/clock.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Config } from '../../../lib/config/config.ts'
import { watchExports } from '../../../lib/exports/watch.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { eventually } from '../../support/gateway.ts'
import { SECRET, startReceiver } from '../../support/receiver.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { silent } from '../../support/stores.ts'

describe('exports', () => {
  let dir = ''
  let store: Store
  const ends: (() => Promise<void>)[] = []
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    store = await openStore(`sqlite:${join(dir, 'a.db')}`, { log: silent })
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await store.close()
    rmSync(dir, { recursive: true })
  })

  const watch = (target: object | undefined, from = store, log = silent) => {
    const metrics = new Metrics()
    const of = target === undefined ? {} : { export: { records: { max_batch: 2, ...target } } }
    const config = () => of as Pick<Config, 'export'>
    const complete = async (lines: readonly JsonObject[]) => lines.map(line => ({ ...line, account_name: 'acme' }))
    ends.push(watchExports({ store: from, config, complete, clock: systemClock, log, metrics, everyMs: 10 }))
    return metrics
  }
  const isOn = () => eventually(async () => (await store.db.selectFrom('exports').select('name').execute()).length > 0)
  const sentOf = (metrics: Metrics) => metrics.registry.getSingleMetricAsString('sluiceway_export_lines_total')

  it('send each record once, in batches, while several processes watch', async () => {
    const path = join(dir, 'records.jsonl')
    const all = [watch({ to: 'file', path }), watch({ to: 'file', path })]
    await isOn()
    const ids = []
    for (let i = 0; i < 3; i++) {
      const records = Array.from({ length: 5 }, () => makeRecord())
      ids.push(...records.map(({ id }) => id))
      await insertRecords(store, records)
    }
    const lines = () => readFileSync(path, 'utf8').trimEnd().split('\n')
    await eventually(() => {
      try {
        return lines().length >= ids.length
      } catch {
        return false
      }
    })
    const sent = lines().map(line => JSON.parse(line) as JsonObject)
    expect(sent.map(({ id }) => id)).have.members(ids)
    expect(sent[0]).include({ account_name: 'acme' })
    // One process sends them, or another one from where it ends. Lines are in the file before they are counted.
    const counted = async () => {
      const counts = await Promise.all(all.map(sentOf))
      return counts.reduce((sum, text) => sum + Number(/outcome="sent"} (\d+)/.exec(text)?.[1] ?? 0), 0)
    }
    await eventually(async () => (await counted()) === ids.length)
    await eventually(async () => (await store.db.selectFrom('export_queue').select('id').execute()).length === 0)
  })

  it('send again what a receiver has not taken', async () => {
    const receiver = await startReceiver()
    receiver.answers.push(503)
    const metrics = watch({ to: 'webhook', url: receiver.url, secret: SECRET })
    await isOn()
    await insertRecords(store, [makeRecord()])
    await eventually(() => receiver.deliveries.length === 2)
    const [first, second] = receiver.deliveries
    expect(first!.id).equal(second!.id)
    await eventually(async () => (await sentOf(metrics)).includes('outcome="sent"} 1'))
    const failures = await metrics.registry.getSingleMetricAsString('sluiceway_export_failures_total')
    expect(failures).contain('{export="records"} 1')
    await receiver.close()
  })

  it('change nothing while they are off, and switch off what no process sends', async () => {
    await store.db.insertInto('exports').values({ name: 'records', holder: 'x', until: 5 }).execute()
    watch(undefined)
    await eventually(async () => (await store.db.selectFrom('exports').select('name').execute()).length === 0)
    await insertRecords(store, [makeRecord()])
    expect(await store.db.selectFrom('export_queue').select('id').execute()).deep.equal([])
  })

  it('have no failures while they are off and the store does not answer', async () => {
    const prepared: string[] = []
    const away = { ...store, prepare: async () => fail(prepared) } as unknown as Store
    const lines: string[] = []
    const metrics = watch(undefined, away, pino({ base: null }, { write: line => lines.push(line) }))
    await eventually(() => prepared.length >= 2)
    for (const end of ends.splice(0)) await end()
    expect(lines).deep.equal([])
    const failures = await metrics.registry.getSingleMetricAsString('sluiceway_export_failures_total')
    expect(failures).not.contain('{export=')
  })
})

function fail(calls: string[]): never {
  calls.push('prepare')
  throw new Error('timeout exceeded when trying to connect')
}
