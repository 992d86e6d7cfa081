import { expect } from 'chai'
import type { Flushable } from '../../../lib/base/write-queue.ts'
import { Backpressure } from '../../../lib/dispatch/backpressure.ts'
import { notedExchange } from '../../support/exchange.ts'

describe('dispatch/backpressure', () => {
  function scene() {
    const { exchange, res } = notedExchange()
    const queue: Flushable[] = []
    const steps: string[] = []
    Object.assign(exchange.host, { writes: { add: (job: Flushable) => void queue.push(job) } })
    const note = (name: string) => () => void steps.push(name)
    const outlet = {
      waiting: 0,
      keepsUp: true,
      flush() {
        steps.push(`flush ${this.waiting}`)
        this.waiting = 0
        return this.keepsUp
      },
    }
    const call = { pause: note('pause'), resume: note('resume') }
    const idle = { wrote: note('wrote'), pause: note('idle pause'), resume: note('idle resume') }
    const backpressure = new Backpressure(exchange, outlet as never, call as never, idle as never)
    const read = (characters: number) => {
      outlet.waiting += characters
      backpressure.afterRead()
    }
    const endTick = () => {
      for (const job of queue.splice(0)) job.onFlush()
    }
    return { backpressure, outlet, res, steps, queue, read, endTick }
  }

  it('writes once per tick what several reads have delivered', () => {
    const { read, endTick, queue, steps } = scene()
    read(10)
    read(20)
    expect([steps, queue.length]).deep.equal([['wrote', 'wrote'], 1])
    endTick()
    read(5)
    endTick()
    expect(steps).deep.equal(['wrote', 'wrote', 'flush 30', 'wrote', 'flush 5'])
  })

  it('does nothing for a read that causes no write', () => {
    const { read, queue, steps } = scene()
    read(0)
    expect([steps, queue]).deep.equal([[], []])
  })

  it('writes more than 16 KiB at once', () => {
    const { read, endTick, steps } = scene()
    read(10)
    read(16 * 1024)
    expect(steps).deep.equal(['wrote', 'wrote', 'flush 16394'])
    endTick()
    expect(steps).lengthOf(3)
  })

  it('pauses the backend until the client has read, once', () => {
    const { read, endTick, outlet, res, steps } = scene()
    outlet.keepsUp = false
    read(10)
    endTick()
    read(10)
    endTick()
    const paused = ['wrote', 'flush 10', 'pause', 'idle pause', 'wrote', 'flush 10']
    expect(steps).deep.equal(paused)
    res.emit('drain')
    expect(steps).deep.equal([...paused, 'resume', 'idle resume'])
    read(10)
    endTick()
    expect(steps.slice(-2)).deep.equal(['pause', 'idle pause'])
  })

  it('listens once for a client that does not read, however much is written meanwhile and however often it pauses', () => {
    const { read, endTick, outlet, res } = scene()
    outlet.keepsUp = false
    for (let pause = 0; pause < 20; pause++) {
      for (let tick = 0; tick < 20; tick++) {
        read(tick % 2 === 0 ? 10 : 40_000)
        endTick()
      }
      expect(res.listenerCount('drain')).equal(1)
      res.emit('drain')
      expect(res.listenerCount('drain')).equal(0)
    }
  })

  it('disconnects a client that reads nothing, and none that has read meanwhile', () => {
    for (const reads of [false, true]) {
      const { backpressure, read, endTick, outlet, res } = scene()
      let destroyed = 0
      Object.assign(res, { destroy: () => destroyed++ })
      outlet.keepsUp = false
      read(10)
      endTick()
      if (reads) res.emit('drain')
      backpressure.giveUp()
      expect(destroyed).equal(reads ? 0 : 1)
    }
  })

  it('writes and resumes nothing once it is stopped', () => {
    const { backpressure, read, endTick, outlet, res, steps } = scene()
    outlet.keepsUp = false
    read(10)
    endTick()
    read(10)
    backpressure.stop()
    endTick()
    res.emit('drain')
    expect(steps).deep.equal(['wrote', 'flush 10', 'pause', 'idle pause', 'wrote'])
  })
})
