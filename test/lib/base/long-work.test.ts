import { expect } from 'chai'
import { LongWorkQueue } from '../../../lib/base/long-work.ts'

/** Keeps the thread busy. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Runs the work of several workers; returns how many pieces ran in each tick of the event loop. */
async function piecesByTick(queue: LongWorkQueue, workers: number, pieces: number, ms: number): Promise<number[]> {
  const ticks: number[] = []
  let count = 0
  let over = false
  const tick = () => {
    ticks.push(count)
    count = 0
    if (!over) setImmediate(tick)
  }
  setImmediate(tick)
  const worker = async () => {
    for (let i = 0; i < pieces; i++) {
      await queue.turn()
      work(ms)
      count++
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  over = true
  return ticks
}

describe('base/long-work', () => {
  it('gives all callers together the same time in a tick, whatever their number', async () => {
    const few = await piecesByTick(new LongWorkQueue(5), 2, 20, 2)
    const many = await piecesByTick(new LongWorkQueue(5), 40, 1, 2)
    for (const ticks of [few, many]) {
      expect(ticks.reduce((sum, count) => sum + count, 0)).within(30, 40)
      // The third piece of 2 ms begins within 5 ms, the fourth does not.
      expect(Math.max(...ticks)).most(3)
    }
  })

  it('serves callers in the order of their calls, never in the same tick', async () => {
    const queue = new LongWorkQueue(1)
    const order: number[] = []
    const all = Promise.all([1, 2, 3, 4].map(n => queue.turn().then(() => void order.push(n))))
    await Promise.resolve()
    expect(order).deep.equal([])
    await all
    expect(order).deep.equal([1, 2, 3, 4])
  })

  it('counts the work that a caller does after it awaits its own functions', async () => {
    const queue = new LongWorkQueue(5)
    const inner = async () => {
      await queue.turn()
    }
    const ticks = new Set<number>()
    let tick = 0
    const count = () => {
      tick++
      if (ticks.size < 4) setImmediate(count)
    }
    setImmediate(count)
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        await inner()
        work(10)
        ticks.add(tick)
      }),
    )
    expect(ticks.size).equal(4)
  })

  it('waits while connections are accepted, but not forever', async () => {
    for (const [connections, least, most] of [
      [20, 20, 20],
      [200, 60, 70],
    ] as const) {
      const queue = new LongWorkQueue()
      let accepted = 0
      const accept = () => {
        accepted++
        queue.accepted()
        if (accepted < connections) setImmediate(accept)
      }
      accept()
      await queue.turn()
      expect(accepted).within(least, most)
    }
  })
})
