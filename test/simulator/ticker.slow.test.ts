import { expect } from 'chai'
import { Ticker, type Timed } from '../../simulator/ticker.ts'
import { eventually } from '../support/gateway.ts'

function task(onTick: (now: number) => void): Timed {
  return { due: 0, slot: -1, onTick }
}

describe('simulator/ticker', () => {
  it('calls tasks in the order of their times, none early', async () => {
    const ticker = new Ticker()
    const start = performance.now()
    const calls: (readonly [string, boolean])[] = []
    const add = (name: string, after: number) =>
      ticker.schedule(
        task(now => calls.push([name, now >= start + after])),
        start + after,
      )
    // The times are far enough apart that a pause of the machine here does not make two of them past.
    add('late', 1000)
    add('early', 500)
    add('past', -50)
    await eventually(() => ticker.size === 0, 'the last call')
    expect(calls).deep.equal([
      ['past', true],
      ['early', true],
      ['late', true],
    ])
  })

  it('can schedule a task again and move it', async () => {
    const ticker = new Ticker()
    let calls = 0
    const again = task(now => {
      if (++calls < 3) ticker.schedule(again, now + 5)
    })
    ticker.schedule(again, performance.now() + 10_000)
    ticker.schedule(again, performance.now())
    expect(ticker.size).equal(1)
    await eventually(() => ticker.size === 0, 'the last call')
    expect(calls).equal(3)
  })

  it('drops cancelled tasks', async () => {
    const ticker = new Ticker()
    const never = task(() => expect.fail('called'))
    ticker.schedule(never, performance.now() + 5)
    ticker.cancel(never)
    ticker.cancel(never)
    expect(ticker.size).equal(0)
    await new Promise(resolve => setTimeout(resolve, 30))
  })

  it('keeps tasks for more than one revolution of the wheel', async () => {
    const ticker = new Ticker()
    const start = performance.now()
    const now = await new Promise<number>(resolve => ticker.schedule(task(resolve), start + 2200))
    // Not a revolution too early. The delay depends on the machine.
    expect(now - start).within(2200, 10_000)
  })
})
