import { hostname } from 'node:os'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type BackendCounts, type LivePeriod, noCounts } from '../../../../lib/admin/live/counts.ts'
import { Fleet } from '../../../../lib/admin/live/fleet.ts'
import { type SeenBackend, seenBackends } from '../../../../lib/backends/backend-list.ts'
import { BackendPool } from '../../../../lib/backends/pool.ts'
import { putGateway } from '../../../../lib/store/gateways.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { ManualClock } from '../../../support/clock.ts'
import { eventually } from '../../../support/gateway.ts'
import { onEveryStore, silent } from '../../../support/stores.ts'

const entry = model({}, { backends: [backendConfig({ url: 'http://a/v1' })] })

function seen(inFlight: number): readonly SeenBackend[] {
  const pool = new BackendPool([entry], new ManualClock(), { health: null })
  for (let i = 0; i < inFlight; i++) pool.pick(entry, false).acquire()
  return seenBackends([pool.snapshot()])
}

function period(requests: number): LivePeriod {
  const counts: BackendCounts = { model: 'm', backend: 'http://a/v1', ...noCounts(), requests }
  return { backends: [counts], failures: [] }
}

/** A snapshot as another gateway writes it. `count`: number of its periods. */
const snapshot = (machine: string, count = 0, periods: readonly LivePeriod[] = []) =>
  JSON.stringify({
    version: '1.2.3',
    startedAt: Date.UTC(2026, 10, 23),
    pids: [7, 8],
    unready: [],
    machine,
    pid: 7,
    backends: seen(2),
    periods,
    periodCount: count,
  })

describe('the fleet', () => {
  onEveryStore(store => {
    let clock: ManualClock
    let own: readonly LivePeriod[]
    const fleets: Fleet[] = []
    const fleetOf = ({ alone = false, log = silent, everyMs = 3_600_000 } = {}) => {
      const fleet = new Fleet({
        store: alone ? null : store(),
        clock,
        log,
        everyMs,
        facts: () => ({ version: '1.2.3', startedAt: 0, pids: [1], unready: [] }),
        backends: async () => seen(1),
        periods: async () => own,
      })
      fleets.push(fleet)
      return fleet
    }
    /** The next question reads the store again. */
    const later = (ms = 5000) => clock.advance(ms)
    const age = (ms: number) => sql`update gateways set written_at = written_at - ${sql.lit(ms)}`.execute(store().db)
    const machines = async (fleet: Fleet) => (await fleet.gateways()).map(({ machine, stale }) => [machine, stale])

    beforeEach(() => {
      clock = new ManualClock()
      own = []
    })
    afterEach(async () => {
      for (const fleet of fleets.splice(0)) await fleet.end()
    })

    it('is one gateway if there is no store, or no other gateway in it', async () => {
      for (const alone of [true, false]) {
        const fleet = fleetOf({ alone })
        fleet.start()
        const [gateway, ...others] = await fleet.gateways()
        expect(others).deep.equal([])
        expect(gateway).include({ machine: hostname(), version: '1.2.3', ready: true, stale: false })
        const [backend] = await fleet.backends()
        expect([backend!.in_flight, backend!.machines.length]).deep.equal([1, 1])
      }
    })

    it('has the backends of all gateways, this one first', async () => {
      await putGateway(store(), 'a', snapshot('gw-a'))
      await putGateway(store(), 'b', snapshot('gw-b'))
      const fleet = fleetOf()
      expect(await machines(fleet)).deep.equal([
        [hostname(), false],
        ['gw-a', false],
        ['gw-b', false],
      ])
      const [backend] = await fleet.backends()
      expect(backend!.in_flight).equal(5)
      expect(backend!.machines.map(({ in_flight }) => in_flight)).deep.equal([1, 2, 2])
      expect((await fleet.gateways())[1]).deep.include({
        started: '2026-11-23T00:00:00.000Z',
        workers: [{ pid: 7 }, { pid: 8 }],
      })
    })

    it('sees another one that starts, and ends', async () => {
      const [one, other] = [fleetOf(), fleetOf()]
      other.start()
      await eventually(async () => {
        later()
        return (await one.gateways()).length === 2
      })
      expect((await one.gateways()).map(({ machine }) => machine)).deep.equal([
        `${hostname()} (${process.pid})`,
        `${hostname()} (${process.pid})`,
      ])
      await other.end()
      later()
      expect(await one.gateways()).lengthOf(1)
    })

    it('shows a gateway that writes no more as lost, then forgets it', async () => {
      await putGateway(store(), 'a', snapshot('gw-a'))
      const fleet = fleetOf({ everyMs: 10 })
      expect((await machines(fleet))[1]).deep.equal(['gw-a', false])
      await age(20_000)
      later()
      expect((await machines(fleet))[1]).deep.equal(['gw-a', true])
      const [backend] = await fleet.backends()
      expect([backend!.in_flight, backend!.machines.map(({ stale }) => stale)]).deep.equal([1, [false, true]])
      const seenAt = Date.parse((await fleet.gateways())[1]!.seen_at)
      expect(clock.now() - seenAt).within(20_000, 60_000)
      await age(120_000)
      fleet.start()
      await eventually(async () => (await store().db.selectFrom('gateways').select('id').execute()).length === 1)
      later()
      expect(await fleet.gateways()).lengthOf(1)
    })

    it('hides a lost gateway whose machine has another one', async () => {
      await putGateway(store(), 'a', snapshot('gw-a'))
      await putGateway(store(), 'b', snapshot(hostname()))
      await age(20_000)
      await putGateway(store(), 'c', snapshot('gw-a'))
      expect(await machines(fleetOf())).deep.equal([
        [hostname(), false],
        ['gw-a', false],
      ])
    })

    it('counts each period of each gateway once', async () => {
      const fleet = fleetOf()
      const requests = async () => {
        later()
        const all = (await fleet.periods()).flatMap(({ backends }) => backends)
        return all.map(counts => counts.requests)
      }
      own = [period(1), period(2)]
      await putGateway(store(), 'a', snapshot('gw-a', 1, [period(10)]))
      // What was counted before the start of this gateway is not new.
      expect(await requests()).deep.equal([3])
      await putGateway(store(), 'a', snapshot('gw-a', 2, [period(10), period(20)]))
      expect(await requests()).deep.equal([3, 20])
      expect(await requests()).deep.equal([3])
      // Two snapshots between two reads, then none: one period each.
      await putGateway(store(), 'a', snapshot('gw-a', 4, [period(20), period(30), period(40)]))
      expect(await requests()).deep.equal([3, 30])
      expect(await requests()).deep.equal([3, 40])
      await putGateway(store(), 'a', snapshot('gw-a', 9, [period(50), period(60), period(70)]))
      expect(await requests()).deep.equal([3, 50, 60])
    })

    it('writes its last periods', async () => {
      const [one, other] = [fleetOf(), fleetOf({ everyMs: 10 })]
      other.start()
      await eventually(async () => {
        later()
        return (await one.gateways()).length === 2
      })
      const found: number[] = []
      own = [period(7)]
      await other.periods()
      own = []
      await eventually(async () => {
        later()
        const [, ...others] = await one.periods()
        found.push(...others.flatMap(({ backends }) => backends.map(counts => counts.requests)))
        return found.length > 0
      })
      expect(found).deep.equal([7])
    })

    it('keeps what it knows while the store does not answer, and marks it as lost', async () => {
      await putGateway(store(), 'a', snapshot('gw-a'))
      const fleet = fleetOf()
      expect(await machines(fleet)).lengthOf(2)
      await sql`alter table gateways rename to hidden`.execute(store().db)
      try {
        later(16_000)
        expect((await machines(fleet))[1]).deep.equal(['gw-a', true])
        later(120_000)
        expect(await machines(fleet)).lengthOf(1)
      } finally {
        await sql`alter table hidden rename to gateways`.execute(store().db)
      }
    })

    it('logs once that its snapshot cannot be written', async () => {
      let lines = 0
      const log = { warn: () => lines++ } as never
      await sql`alter table gateways rename to hidden`.execute(store().db)
      try {
        fleetOf({ log, everyMs: 5 }).start()
        await eventually(() => lines > 0)
        await new Promise(resolve => setTimeout(resolve, 50))
        expect(lines).equal(1)
      } finally {
        await sql`alter table hidden rename to gateways`.execute(store().db)
      }
    })
  })
})
