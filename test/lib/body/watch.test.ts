import { expect } from 'chai'
import { ReadingWatch } from '../../../lib/body/watch.ts'
import { eventually } from '../../support/gateway.ts'

function reading(received = 0, isWaiting = false) {
  return {
    received,
    isWaiting,
    gaveUp: 0,
    stalled() {
      this.gaveUp++
    },
  }
}

describe('body/watch', () => {
  it('gives up what does not progress, and nothing else', async () => {
    const watch = new ReadingWatch(20)
    const [idle, trickling, busy, paused, over] = [reading(), reading(), reading(), reading(0, true), reading()]
    const pace = setInterval(() => {
      trickling.received++
      busy.received += 10_000
    }, 1)
    for (const one of [idle, trickling, busy, paused]) watch.add(one)
    watch.add(over)()
    expect(watch.count).equal(4)
    await eventually(() => idle.gaveUp > 0 && trickling.gaveUp > 0)
    clearInterval(pace)
    watch.close()
    expect([busy.gaveUp, paused.gaveUp, over.gaveUp]).deep.equal([0, 0, 0])
  })

  it('can be without an end', () => {
    const watch = new ReadingWatch(Number.POSITIVE_INFINITY)
    watch.add(reading())
    expect(watch.count).equal(1)
  })
})
