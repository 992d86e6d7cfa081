import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import type { Limits } from '../../../../lib/limits/limits.ts'
import type { PlaceAsk, PlaceStore } from '../../../../lib/limits/places.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import { eventually } from '../../../support/gateway.ts'
import { TestLedger } from '../../../support/limits.ts'
import { useRedis } from '../../../support/services.ts'

const LEASE_MS = 900

describe('places in Redis', () => {
  const url = useRedis()
  const open: Limits[] = []
  let raw: Redis
  let name = ''
  const start = async (): Promise<PlaceStore> => {
    const limits = await redisLimits({
      ...{ url: url(), clock: systemClock, log: pino({ level: 'silent' }), metrics: new Metrics() },
      ...{ ledger: new TestLedger().view(), leaseMs: LEASE_MS, reservationMs: LEASE_MS, replyTimeoutMs: 10_000 },
    })
    open.push(limits)
    const store = limits.places!
    await eventually(async () => (await ask(store, 0, 0))?.isContended === false, 'the subscription')
    return store
  }
  const ask = (store: PlaceStore, kept: number, needed: number, more: Partial<PlaceAsk> = {}) =>
    store.ask(name, { limit: 4, kept, needed, wanted: needed, ...more })
  const of = (granted: number, isContended = false, fair = 2) => ({ granted, isContended, fair })

  before(() => {
    raw = new Redis(url())
  })
  after(() => raw.disconnect())
  beforeEach(() => {
    name = `model:${crypto.randomUUID()}`
  })
  afterEach(() => Promise.all(open.splice(0).map(limits => limits.close())))

  it('are granted up to the limit of all processes', async () => {
    const [one, other] = [await start(), await start()]
    expect(await ask(one, 0, 3)).deep.equal(of(3, false, 4))
    expect(await ask(other, 0, 2)).deep.equal(of(1))
    expect(await ask(one, 1, 1)).deep.equal(of(1, true))
    expect(await ask(other, 1, 2)).deep.equal(of(2))
    // What a process keeps stays, also if its limit is lower.
    expect(await ask(other, 2, 2, { limit: 1 })).deep.equal(of(2, false, 1))
  })

  it('are spare only as long as half of the free ones remains, and no other process waits', async () => {
    const [one, other] = [await start(), await start()]
    expect(await ask(one, 0, 0, { wanted: 4 })).deep.equal(of(2, false, 4))
    expect(await ask(other, 0, 1, { wanted: 3 })).deep.equal(of(1))
    expect(await ask(other, 1, 4)).deep.equal(of(2))
    expect(await ask(one, 0, 0, { wanted: 2 })).deep.equal(of(0, true))
  })

  it('are the fair share while others wait', async () => {
    const [one, other] = [await start(), await start()]
    await ask(one, 0, 4)
    expect(await ask(other, 0, 4)).deep.equal(of(0))
    expect(await ask(one, 3, 4)).deep.equal(of(3, true))
    expect(await ask(other, 0, 4)).deep.equal(of(1, true))
    expect(await ask(one, 2, 4)).deep.equal(of(2, true))
    expect(await ask(other, 1, 4)).deep.equal(of(2, true))
  })

  it('notify the other processes of requests that wait, and of places that are given back', async () => {
    const [one, other] = [await start(), await start()]
    const seen: string[] = []
    one.watch(changed => seen.push(`one ${changed}`))
    other.watch(changed => seen.push(`other ${changed}`))
    await ask(one, 0, 4)
    await ask(other, 0, 1)
    await eventually(() => seen.includes(`one ${name}`), 'the request that waits')
    expect(seen).deep.equal([`one ${name}`])
    // The request that found no place still waits.
    await ask(other, 0, 1)
    await ask(one, 3, 3)
    await eventually(() => seen.length === 2, 'the place')
    expect(seen[1]).equal(`other ${name}`)
  })

  it('of a process that has died are free after their time to live', async () => {
    const [one, other] = [await start(), await start()]
    await ask(one, 0, 4)
    await eventually(async () => (await ask(other, 0, 1))?.granted === 1, 'the place of a dead process')
    await ask(other, 0, 0)
    expect(await raw.exists(`sluiceway:{places:${name}}`)).equal(0)
  })

  it('need no answer after a failure, and have a share', async () => {
    const store = await start()
    await raw.set(`sluiceway:{places:${name}}`, 'not a hash')
    expect(await ask(store, 0, 1)).equal(undefined)
    expect(store.share(4)).within(1, 4)
    await raw.del(`sluiceway:{places:${name}}`)
  })
})
