import { expect } from 'chai'
import { Places } from '../../../lib/backends/places.ts'
import type { PlaceAsk, PlaceReply, PlaceStore } from '../../../lib/limits/places.ts'
import { ManualClock } from '../../support/clock.ts'

/** A store that answers as the test says. */
class TestStore implements PlaceStore {
  readonly asked: PlaceAsk[] = []
  /** Answers to the next questions; 'wanted': everything that is wanted. */
  reply: Partial<PlaceReply> | 'wanted' | undefined = 'wanted'
  readonly #pending: (() => void)[] = []

  ask(_name: string, ask: PlaceAsk): Promise<PlaceReply | undefined> {
    this.asked.push(ask)
    return new Promise(resolve => {
      this.#pending.push(() => {
        const { reply } = this
        if (reply === undefined) return resolve(undefined)
        const more = reply === 'wanted' ? { granted: ask.wanted } : reply
        resolve({ granted: 0, isContended: false, fair: ask.limit, ...more })
      })
    })
  }

  share(limit: number): number {
    return Math.max(1, Math.floor(limit / 2))
  }

  watch(): void {}

  /** Answers all questions. */
  async answer(): Promise<void> {
    await turn()
    while (this.#pending.length > 0) {
      this.#pending.shift()!()
      await turn()
    }
  }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

async function setUp(limit: number, waiting = () => 0) {
  const clock = new ManualClock()
  const store = new TestStore()
  const timers: { readonly ms: number; readonly call: () => void }[] = []
  const remove = (timer: (typeof timers)[number]) => {
    if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
  }
  const after = (ms: number, call: () => void) => {
    const timer = { ms, call }
    timers.push(timer)
    return () => remove(timer)
  }
  let more = 0
  const events = { onMore: () => void more++, waiting }
  const places = new Places('model:m', { clock, store, after }, events)
  places.update(limit)
  // The first request brings spare places.
  places.take()
  await store.answer()
  places.release()
  await store.answer()
  store.asked.length = 0
  return { clock, store, places, timers, mores: () => more }
}

describe('backends/places', () => {
  it('count alone without a store', () => {
    const places = new Places('model:m', { clock: new ManualClock(), store: null })
    places.take()
    expect(places.isFull).equal(false)
    places.update(1)
    expect([places.isFull, places.mayGrow, places.inFlight]).deep.equal([true, false, 1])
    places.release()
    expect(places.isFull).equal(false)
  })

  it('are asked for before a request needs them, and start requests without a question', async () => {
    const { store, places } = await setUp(8)
    places.take()
    places.take()
    expect(places.isFull).equal(false)
    await turn()
    expect(store.asked).deep.equal([])
    places.take()
    expect(places.isFull).equal(true)
    await store.answer()
    expect(store.asked).deep.equal([{ limit: 8, kept: 3, needed: 3, wanted: 5 }])
    expect(places.isFull).equal(false)
  })

  it('are asked for by a request that finds none, and let it try again', async () => {
    let waiting = 0
    const { store, places, mores } = await setUp(8, () => waiting)
    store.reply = { granted: 3 }
    for (let i = 0; i < 3; i++) places.take()
    await store.answer()
    expect([places.isFull, places.mayGrow]).deep.equal([true, true])
    store.reply = { granted: 4 }
    places.want()
    waiting = 1
    const before = mores()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 8, kept: 3, needed: 4, wanted: 6 })
    expect(mores() - before).equal(1)
    expect(places.isFull).equal(false)
  })

  it('are asked for without a claim for a line of a batch', async () => {
    const { store, places } = await setUp(8)
    store.reply = { granted: 3 }
    for (let i = 0; i < 3; i++) places.take()
    await store.answer()
    expect(places.isFull).equal(true)
    places.wantIfFree()
    await store.answer()
    expect(store.asked.at(-1)).deep.include({ kept: 3, needed: 3 })
    expect(store.asked.at(-1)!.wanted).above(3)
  })

  it('are never wanted above the limit, nor asked for when this process has all of them', async () => {
    const { store, places } = await setUp(3)
    for (let i = 0; i < 3; i++) places.take()
    expect([places.isFull, places.mayGrow]).deep.equal([true, false])
    places.want()
    await turn()
    expect(store.asked).deep.equal([])
  })

  it('are not used while they are being given back', async () => {
    const { store, places } = await setUp(8)
    places.take()
    places.changed()
    await turn()
    // The store has not answered yet.
    expect(store.asked.at(-1)).include({ kept: 1, wanted: 1 })
    expect(places.isFull).equal(true)
  })

  it('stay none unused while another process waits', async () => {
    const { store, places } = await setUp(8)
    for (let i = 0; i < 4; i++) {
      places.take()
      await store.answer()
    }
    store.reply = { granted: 4, isContended: true, fair: 4 }
    places.changed()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 8, kept: 4, needed: 4, wanted: 4 })
    store.reply = { granted: 3, isContended: true, fair: 4 }
    places.release()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 8, kept: 3, needed: 3, wanted: 3 })
  })

  it('are given back when they are idle, and renewed while they are used', async () => {
    const { clock, store, places, timers } = await setUp(8)
    places.take()
    clock.advance(3000)
    timers[0]!.call()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 8, kept: 3, needed: 1, wanted: 3 })
    expect(timers.map(({ ms }) => ms)).deep.equal([3000])
    // It had no request for a second.
    places.release()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 8, kept: 0, needed: 0, wanted: 0 })
    expect(timers).deep.equal([])
  })

  it('ask again while a request waits', async () => {
    const { store, places, timers } = await setUp(4, () => 1)
    store.reply = { granted: 0, isContended: true }
    places.changed()
    await store.answer()
    places.want()
    await store.answer()
    expect(timers.map(({ ms }) => ms)).deep.equal([50])
  })

  it('without an answer are those that were granted, then the share of this process', async () => {
    const { clock, store, places } = await setUp(8)
    places.take()
    store.reply = undefined
    places.changed()
    await store.answer()
    expect([places.isFull, places.mayGrow]).deep.equal([true, false])
    // Until now, the places counted for this process in the store.
    clock.advance(9000)
    for (let i = 1; i < 4; i++) {
      expect(places.isFull).equal(false)
      places.take()
    }
    expect(places.isFull).equal(true)
    // What runs is reported when the store answers again.
    store.reply = { granted: 4 }
    places.update(9)
    await store.answer()
    expect(store.asked.at(-1)).include({ kept: 4, needed: 4 })
  })

  it('are not used after their time to live, because other processes may have them', async () => {
    const { clock, places } = await setUp(8)
    clock.advance(9000)
    expect(places.isFull).equal(true)
  })

  it('are given back when the limit ends', async () => {
    const { store, places, timers } = await setUp(8)
    places.take()
    await store.answer()
    places.close()
    await store.answer()
    expect(store.asked.at(-1)).deep.equal({ limit: 0, kept: 0, needed: 0, wanted: 0 })
    expect([places.isFull, timers.length]).deep.equal([false, 0])
  })
})
