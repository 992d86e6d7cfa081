import { expect } from 'chai'
import { Stint, Turns } from '../../../lib/base/turns.ts'

/** Busy for so long. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const tick = () => new Promise(resolve => setImmediate(resolve))

/** Runs the work of many at once; returns how many pieces of it each tick of the event loop had. */
async function piecesByTick(turns: Turns, workers: number, pieces: number, ms: number): Promise<number[]> {
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
      await turns.next()
      work(ms)
      count++
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  over = true
  return ticks
}

describe('base/turns', () => {
  it('gives all workers together the same time in a tick, however many there are', async () => {
    const few = await piecesByTick(new Turns(5), 2, 20, 2)
    const many = await piecesByTick(new Turns(5), 40, 1, 2)
    for (const ticks of [few, many]) {
      expect(ticks.reduce((sum, count) => sum + count, 0)).within(30, 40)
      // The third piece of 2 ms begins before 5 ms are over, the fourth does not.
      expect(Math.max(...ticks)).most(3)
    }
  })

  it('does without for some ticks after a turn that took far longer than a tick has for it', async () => {
    const ticks = await piecesByTick(new Turns(5), 4, 1, 60)
    expect(Math.max(...ticks)).equal(1)
    expect(ticks.length).within(24, 40)
  })

  it('serves as many as it must in a tick, however long they take', async () => {
    const ticks = await piecesByTick(new Turns(1, 3), 12, 1, 2)
    expect(Math.max(...ticks)).equal(3)
    expect(ticks.filter(count => count > 0).length).most(5)
  })

  it('serves them in the order in which they asked', async () => {
    const turns = new Turns(1)
    const order: number[] = []
    await Promise.all([1, 2, 3, 4].map(n => turns.next().then(() => void order.push(n))))
    expect(order).deep.equal([1, 2, 3, 4])
  })

  it('goes round the accounts that wait, however many turns each of them wants', async () => {
    const turns = new Turns(1, 16)
    const order: string[] = []
    await Promise.all([...'aaabbc'].map(account => turns.next(account).then(() => void order.push(account))))
    expect(order.join('')).equal('abcaba')
  })

  it('serves who has begun before all others of its account', async () => {
    const turns = new Turns(1, 16)
    const order: string[] = []
    const wait = (name: string, account: string, isFirst = false) =>
      turns.next(account, isFirst).then(() => void order.push(name))
    await Promise.all([wait('a1', 'a'), wait('a2', 'a'), wait('b1', 'b'), wait('a0', 'a', true), wait('c0', 'c', true)])
    expect(order).deep.equal(['a0', 'b1', 'c0', 'a1', 'a2'])
  })

  it('has less time while connections come, but some', async () => {
    const turns = new Turns(5, 16)
    let isOver = false
    const arrive = () => {
      turns.arrived()
      if (!isOver) setImmediate(arrive)
    }
    arrive()
    await tick()
    const ticks = await piecesByTick(turns, 12, 1, 2)
    expect(Math.max(...ticks)).equal(1)
    // A turn of 2 ms takes the time of at least two further ticks, but where the machine was busy for 100 ms.
    expect(ticks.length).least(24)
    turns.add(1)
    expect(turns.isFree).equal(false)
    isOver = true
    for (let i = 0; i < 4; i++) await tick()
    turns.add(1)
    expect(turns.isFree).equal(true)
  })

  it('serves one at least where ticks are long and each of them brings connections', async () => {
    const turns = new Turns(5, 16)
    let isOver = false
    let ticks = 0
    const arrive = () => {
      turns.arrived()
      ticks++
      work(110)
      if (!isOver) setImmediate(arrive)
    }
    arrive()
    await tick()
    const longTurn = async () => {
      await turns.next()
      work(10)
    }
    const before = ticks
    await Promise.all([1, 2, 3, 4, 5].map(longTurn))
    isOver = true
    expect(ticks - before).most(8)
  })

  it('counts the work behind several promises as one turn', async () => {
    const turns = new Turns(5)
    const slow = async () => {
      await turns.next()
      await Promise.resolve()
      await Promise.resolve()
      work(8)
    }
    let ticks = 0
    let over = false
    const tick = () => {
      ticks++
      if (!over) setImmediate(tick)
    }
    setImmediate(tick)
    await Promise.all([slow(), slow(), slow()])
    over = true
    expect(ticks).least(3)
  })

  it('runs short work at once while there is time, then in the order in which it came', async () => {
    const turns = new Turns(5)
    const order: number[] = []
    turns.run(() => void order.push(1))
    turns.add(6)
    turns.run(() => void order.push(2))
    turns.run(() => void order.push(3))
    expect(order).deep.equal([1])
    await turns.next()
    expect(order).deep.equal([1, 2, 3])
  })

  it('counts what run() does, so that much of it is spread over ticks', async () => {
    const turns = new Turns(5)
    const ticks = new Set<number>()
    for (let i = 0; i < 12; i++) {
      turns.run(() => {
        work(2)
        ticks.add(turns.tick)
      })
    }
    await turns.next()
    expect(ticks.size).least(3)
  })

  it('is free until the time of the tick is spent, or somebody waits', async () => {
    const turns = new Turns(5)
    expect(turns.isFree).equal(true)
    turns.spend(performance.now() - 6)
    expect(turns.isFree).equal(false)
    await turns.next()
    const waiting = turns.next()
    expect(turns.isFree).equal(false)
    await waiting
    await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setImmediate(resolve))
    expect(turns.isFree).equal(true)
  })
})

describe('a stint', () => {
  it('is over after its time, and begins again in the next tick', async () => {
    const stint = new Stint(5)
    work(6)
    expect(stint.isOver).equal(true)
    let ticked = false
    setImmediate(() => {
      ticked = true
    })
    await stint.next()
    expect(ticked).equal(true)
    expect(new Stint(60_000).isOver).equal(false)
  })
})
