import { expect } from 'chai'
import {
  ModelQueue,
  type QueueOutcome,
  type QueueRequest,
  type ServedRequest,
} from '../../../../lib/backends/queue/model-queue.ts'
import { failure, type GatewayError } from '../../../../lib/errors/errors.ts'
import { ManualClock } from '../../../support/clock.ts'

const CONFIG = { max: 200, max_wait_ms: 10_000, fair: 'account' as const }

/** A queue in front of a backend with `slots`, on a clock that only run() advances. */
class World {
  readonly clock = new ManualClock()
  readonly ended: QueueOutcome[] = []
  free: number
  failing: GatewayError | undefined
  readonly queue: ModelQueue
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>()

  constructor(slots: number) {
    this.free = slots
    this.queue = new ModelQueue({
      clock: this.clock,
      after: (ms, call) => this.after(ms, call),
      onEnd: outcome => void this.ended.push(outcome),
    })
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.clock.ms + ms, call }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** A slot of the backend is free again. */
  release(): void {
    this.free++
    this.queue.pump()
  }

  request(account: string, more: Partial<QueueRequest<true>> = {}): QueueRequest<true> {
    const acquire = (): true => {
      if (this.failing !== undefined) throw this.failing
      if (this.free === 0) throw failure('backend_at_capacity', { model: 'm' })
      this.free--
      return true
    }
    return { account, priority: 0, zdr: false, bytes: 0, acquire, onWait: () => {}, ...more }
  }

  enter(account: string, more: Partial<QueueRequest<true>> = {}, config = CONFIG) {
    return this.queue.enter(this.request(account, more), config)
  }

  /** Runs timers in order up to this time. */
  async run(until: number): Promise<void> {
    for (;;) {
      // Code that waits for promises continues at the same time of the clock.
      for (let i = 0; i < 10; i++) await Promise.resolve()
      let due: { readonly at: number; readonly call: () => void } | undefined
      for (const timer of this.#timers) if (timer.at <= until && !(due && due.at <= timer.at)) due = timer
      if (due === undefined) break
      this.#timers.delete(due)
      this.clock.ms = Math.max(this.clock.ms, due.at)
      due.call()
    }
    this.clock.ms = until
  }
}

const codeOf = (pending: Promise<unknown>) =>
  pending.then(
    () => 'served',
    (error: GatewayError) => error.code,
  )

describe('backends/queue/model-queue', () => {
  it('serves requests while there is capacity, then as capacity is freed', async () => {
    const world = new World(1)
    expect(await world.enter('a')).deep.include({ acquired: true })
    const waiting = world.enter('b')
    expect(world.queue.size).equal(1)
    world.release()
    expect(await waiting).deep.include({ acquired: true })
    expect(world.free).equal(0)
    expect(world.ended).deep.equal(['served'])
  })

  it('refuses after the maximum wait', async () => {
    const world = new World(0)
    const waiting = codeOf(world.enter('a'))
    await world.run(world.clock.ms + 9999)
    expect(world.queue.size).equal(1)
    await world.run(world.clock.ms + 1)
    expect(await waiting).equal('backend_at_capacity')
    expect(world.ended).deep.equal(['timeout'])
  })

  it('refuses the account with the most requests when it is full', async () => {
    const world = new World(0)
    const config = { ...CONFIG, max: 2 }
    const first = world.enter('many', {}, config)
    const second = codeOf(world.enter('many', {}, config))
    expect(await codeOf(world.enter('many', {}, config))).equal('backend_at_capacity')
    const other = world.enter('few', {}, config)
    expect(await second).equal('backend_at_capacity')
    expect(world.ended).deep.equal(['full', 'displaced'])
    world.release()
    world.release()
    await Promise.all([first, other])
    expect(world.queue.size).equal(0)
  })

  it('removes the request of a client that disconnects', async () => {
    const world = new World(0)
    let cancel = () => {}
    const leaves = world.enter('a', {
      onWait: work => {
        cancel = () => work?.cancel()
      },
    })
    const stays = world.enter('b')
    cancel()
    expect(world.queue.size).equal(1)
    expect(await leaves).equal(undefined)
    world.release()
    expect(await stays).deep.include({ acquired: true })
    expect(world.ended).deep.equal(['gone', 'served'])
  })

  it('ends with the error of the gateway, or of backends that were removed', async () => {
    const world = new World(0)
    const shut = codeOf(world.enter('a', { onWait: work => work?.fail(failure('shutting_down', {})) }))
    expect(await shut).equal('shutting_down')
    const waiting = codeOf(world.enter('b'))
    world.failing = failure('no_healthy_backends', { model: 'm' })
    world.queue.pump()
    expect(await waiting).equal('no_healthy_backends')
    expect(await codeOf(world.enter('c'))).equal('no_healthy_backends')
    expect(world.ended).deep.equal(['failed', 'failed'])
  })

  it('serves no request before those that wait, except for other backends', async () => {
    const world = new World(0)
    const first = world.enter('a', { zdr: true })
    world.free = 1
    expect(await world.enter('b')).deep.include({ acquired: true })
    world.release()
    await first
    const second = world.enter('a')
    world.free = 1
    const third = world.enter('b')
    expect(world.queue.size).equal(2)
    world.queue.pump()
    await second
    expect(world.queue.size).equal(1)
    world.release()
    await third
  })

  describe('if one account sends fifty times as much as the others', () => {
    const MINUTES = 10
    const p95 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)]!

    interface Seen {
      readonly waits: Map<string, number[]>
      /** Longest time in which an account was not served. */
      readonly longest: number
      readonly served: Map<string, number>
      readonly refused: Map<string, number>
    }

    /** Each account has two clients that send one request after the other; the greedy account has a hundred. */
    async function load(greedy: boolean): Promise<Seen> {
      const world = new World(16)
      const waits = new Map<string, number[]>()
      const lastAt = new Map<string, number>()
      const served = new Map<string, number>()
      const refused = new Map<string, number>()
      let longest = 0
      let seed = 1
      const random = () => {
        seed = (seed * 16_807) % 2_147_483_647
        return seed / 2_147_483_647
      }
      const end = world.clock.ms + MINUTES * 60_000
      const count = (map: Map<string, number>, account: string) => map.set(account, (map.get(account) ?? 0) + 1)
      const client = async (account: string) => {
        while (world.clock.ms < end) {
          const since = world.clock.ms
          let request: ServedRequest<true> | undefined
          try {
            request = await world.enter(account)
          } catch {
            count(refused, account)
            await new Promise<void>(resolve => world.after(1000, resolve))
            continue
          }
          const now = world.clock.ms
          waits.set(account, [...(waits.get(account) ?? []), now - since])
          longest = Math.max(longest, now - (lastAt.get(account) ?? since))
          lastAt.set(account, now)
          count(served, account)
          const output = Math.ceil(random() * 100)
          await new Promise<void>(resolve => world.after(200 + 10 * output, resolve))
          world.queue.settle(request!.charge, 100, output)
          world.release()
        }
      }
      for (let i = 0; i < 19; i++) for (let n = 0; n < 2; n++) void client(`a${i}`)
      if (greedy) for (let n = 0; n < 100; n++) void client('greedy')
      await world.run(end)
      return { waits, longest, served, refused }
    }

    it('increases the waits of the others by less than half, and starves none', async () => {
      const without = await load(false)
      const withIt = await load(true)
      for (let i = 0; i < 19; i++) {
        const name = `a${i}`
        expect(p95(withIt.waits.get(name)!), name).most(1.5 * p95(without.waits.get(name)!))
        expect(withIt.refused.get(name) ?? 0, name).equal(0)
      }
      expect(p95(without.waits.get('a0')!)).greaterThan(0)
      // The greedy account gets as much as any other.
      const shares = [...withIt.served.values()]
      expect(Math.max(...shares) / Math.min(...shares)).most(1.2)
      expect(withIt.served.size).equal(20)
      expect(withIt.longest).most(10_000)
    })
  })
})
