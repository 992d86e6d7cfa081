import { expect } from 'chai'
import { Redis } from 'ioredis'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { LoopWriteQueue } from '../../../../lib/base/write-queue.ts'
import type { LedgerView } from '../../../../lib/limits/ledger.ts'
import type { RedisClient } from '../../../../lib/limits/redis/client.ts'
import { CREDIT, RedisCredits } from '../../../../lib/limits/redis/credits.ts'
import { LimitBatcher } from '../../../../lib/limits/redis/limit-batcher.ts'
import { RedisLink } from '../../../../lib/limits/redis/link.ts'
import { ManualClock } from '../../../support/clock.ts'
import { eventually } from '../../../support/gateway.ts'
import { creditOf, newAccount, TestLedger } from '../../../support/limits.ts'
import { useRedis } from '../../../support/services.ts'
import { silent } from '../../../support/stores.ts'

/** A client that passes commands to Redis, delays them until release(), or loses them. */
class Wire {
  mode: 'pass' | 'hold' | 'lose' = 'pass'
  readonly #raw: Redis
  readonly #held: (() => void)[] = []

  constructor(raw: Redis) {
    this.#raw = raw
  }

  get held(): number {
    return this.#held.length
  }

  defineCommand(name: string, definition: { readonly lua: string }): void {
    this.#raw.defineCommand(name, definition)
    const send = (Reflect.get(this.#raw, name) as (...args: unknown[]) => Promise<unknown>).bind(this.#raw)
    Object.assign(this, {
      [name]: async (...args: unknown[]) => {
        if (this.mode === 'lose') throw new Error('lost')
        if (this.mode === 'hold') await new Promise<void>(resolve => this.#held.push(resolve))
        return send(...args)
      },
    })
  }

  release(): void {
    this.mode = 'pass'
    for (const send of this.#held.splice(0)) send()
  }
}

describe('RedisCredits', () => {
  const url = useRedis()
  const ledger = new TestLedger()
  let view: LedgerView
  let raw: Redis
  let clock: ManualClock
  let wire: Wire
  /** The process whose settlements are delayed or lost. */
  let credits: RedisCredits
  /** Another process. */
  let other: RedisCredits
  let account: string

  const open = (client: unknown): RedisCredits => {
    const link = new RedisLink({
      ...{ client: client as RedisClient, clock, log: silent, metrics: new Metrics() },
      ...{ isCluster: false, replyTimeoutMs: 60_000 },
    })
    return new RedisCredits(link, new LimitBatcher(link, [CREDIT], new LoopWriteQueue()), clock, view, {
      reservationMs: 600_000,
    })
  }
  /** Resolves when all processes know these charges. */
  const charge = async (charged: number) => {
    ledger.entries.set(account, { granted: 0, charged })
    await eventually(async () => (await view.of(account)).charged === charged, 'the charges')
  }
  const available = async (of: RedisCredits) => (await of.reserve(creditOf(account, 0)))?.availableMicrocents
  const arrival = (id: string) =>
    eventually(async () => (await raw.exists(`sluiceway:{${account}}:settled:${id}`)) === 1)
  const redisMs = async () => {
    const [seconds, micros] = await raw.time()
    return seconds! * 1000 + Math.floor(micros! / 1000)
  }
  /** The ledger receives a record at least a millisecond after the settlement. */
  const nextMillisecond = async () => {
    const now = await redisMs()
    await eventually(async () => (await redisMs()) > now)
  }

  beforeEach(() => {
    raw = new Redis(url())
    clock = new ManualClock()
    view = ledger.view()
    wire = new Wire(raw)
    credits = open(wire)
    other = open(raw)
    account = newAccount()
  })
  afterEach(() => {
    view.close()
    raw.disconnect()
  })

  it('count a settlement once that arrives after the ledger has its charge', async () => {
    await charge(20)
    expect(await credits.reserve(creditOf(account, 100, 'a'))).include({ allowed: true })
    await nextMillisecond()
    wire.mode = 'hold'
    credits.settle(account, 'a', 70)
    await eventually(() => wire.held === 1)
    await charge(90)
    expect(await available(other)).equal(1000 - 90 - 100)
    wire.release()
    expect(await available(credits)).equal(1000 - 90)
  })

  it('count a settlement in full that was made after the ledger has corrected the balance', async () => {
    await charge(20)
    expect(await credits.reserve(creditOf(account, 100, 'a'))).include({ allowed: true })
    wire.mode = 'lose'
    credits.settle(account, 'a', 70)
    await new Promise(setImmediate)
    wire.mode = 'pass'
    // The settlement is late, and the clock of this process runs fast.
    clock.advance(60_000)
    await credits.renew()
    await arrival('a')
    expect(await available(credits)).equal(1000 - 90)
    await charge(90)
    expect(await available(other)).equal(1000 - 90)
  })

  it('count a late settlement of a reservation without Redis at most once', async () => {
    const open = { ...creditOf(account, 100, 'a'), onStoreFailure: 'fail_open' } as const
    wire.mode = 'lose'
    expect(await credits.reserve(open)).include({ allowed: true })
    credits.settle(account, 'a', 70)
    await new Promise(setImmediate)
    await charge(70)
    expect(await available(other)).equal(1000 - 70)
    wire.mode = 'pass'
    clock.advance(60_000)
    await credits.renew()
    await arrival('a')
    expect(await available(credits)).equal(1000 - 70)
  })
})
