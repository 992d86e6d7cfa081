import { mock } from 'node:test'
import { expect } from 'chai'
import type { Flushable } from '../../../lib/base/write-queue.ts'
import { Backpressure, type IdleEvent, IdleTimer } from '../../../lib/dispatch/flow-control.ts'
import { ManualClock } from '../../support/clock.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { notedExchange } from '../../support/exchange.ts'

const TIMEOUTS = {
  ...configOf(MODEL).timeouts,
  first_byte_ms: 500,
  idle_ms: 60,
  client_idle_ms: 100,
  keep_alive_ms: 40,
}

describe('dispatch/flow-control: idle timer', () => {
  let clock: ManualClock
  let heard: string[]
  let timer: IdleTimer

  beforeEach(() => {
    clock = new ManualClock()
    mock.timers.enable({ apis: ['setTimeout'] })
  })

  afterEach(() => {
    timer.stop()
    mock.timers.reset()
  })

  function pass(ms: number): void {
    for (let i = 0; i < ms; i++) {
      clock.advance(1)
      mock.timers.tick(1)
    }
  }

  function start(comments: boolean, timeouts: Partial<typeof TIMEOUTS> = {}): IdleTimer {
    const own: string[] = []
    heard = own
    const onIdle = (event: IdleEvent) => {
      own.push(event)
      if (event !== 'keep-alive') timer.stop()
    }
    timer = new IdleTimer(clock, { ...TIMEOUTS, ...timeouts }, onIdle)
    timer.headReceived(comments)
    return timer
  }

  it('waits for the first content for first_byte_ms after the start', () => {
    start(false)
    pass(150)
    timer.headReceived(false)
    timer.read()
    pass(340)
    expect(heard).deep.equal([])
    pass(20)
    expect(heard).deep.equal(['backend'])
  })

  it('requests comments while it waits for the first content', () => {
    start(true, { keep_alive_ms: 200 })
    pass(510)
    expect(heard).deep.equal(['keep-alive', 'keep-alive', 'backend'])
  })

  it('can be given another timeout for content', () => {
    start(false)
    timer.expectWithin(50)
    pass(45)
    expect(heard).deep.equal([])
    pass(10)
    expect(heard).deep.equal(['backend'])
  })

  it('detects a backend that stops after the first content', () => {
    start(false)
    timer.read()
    timer.begin()
    pass(40)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['backend'])
  })

  it('does not restart the timer for early content', () => {
    const set = mock.method(globalThis, 'setTimeout')
    try {
      start(false)
      timer.read()
      timer.begin()
      expect(set.mock.callCount()).equal(1)
    } finally {
      set.mock.restore()
    }
  })

  it('detects it in time if comments are due later', () => {
    start(true, { keep_alive_ms: 1000 })
    pass(10)
    timer.read()
    timer.begin()
    timer.wrote()
    pass(70)
    expect(heard).deep.equal(['backend'])
  })

  it('restarts with every read', () => {
    start(false)
    timer.begin()
    for (let i = 0; i < 6; i++) {
      timer.read()
      timer.wrote()
      pass(25)
    }
    expect(heard).deep.equal([])
  })

  it('requests a comment per interval, and only if comments can be sent', () => {
    start(true, { idle_ms: 1000 })
    pass(150)
    expect(heard).deep.equal(['keep-alive', 'keep-alive', 'keep-alive'])
    start(false, { idle_ms: 1000 })
    pass(60)
    expect(heard).deep.equal([])
  })

  it('restarts the interval of comments with writes, not with reads', () => {
    start(true, { idle_ms: 1000 })
    for (let i = 0; i < 4; i++) {
      timer.read()
      pass(20)
    }
    expect(heard).include('keep-alive')
    start(true, { idle_ms: 1000 })
    for (let i = 0; i < 4; i++) {
      timer.read()
      timer.wrote()
      pass(20)
    }
    expect(heard).deep.equal([])
  })

  it('detects a client that reads nothing, and requests no comment in the meantime', () => {
    start(true)
    timer.begin()
    timer.pause()
    pass(80)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['client'])
  })

  it('restarts at drain', () => {
    start(false)
    timer.begin()
    timer.pause()
    pass(80)
    timer.resume()
    pass(40)
    expect(heard).deep.equal([])
    pass(50)
    expect(heard).deep.equal(['backend'])
  })

  it('stops with the reply', () => {
    start(true)
    timer.begin()
    timer.stop()
    timer.read()
    timer.wrote()
    timer.resume()
    pass(120)
    expect(heard).deep.equal([])
  })

  it('waits for the side that makes no progress while the body is sent, and then for the first content', () => {
    start(false)
    timer.sending('backend')
    for (let i = 0; i < 20; i++) {
      pass(50)
      timer.sending(i % 2 === 0 ? 'client' : 'backend')
    }
    expect(heard).deep.equal([])
    timer.sent()
    pass(499)
    expect(heard).deep.equal([])
    pass(2)
    expect(heard).deep.equal(['backend'])
  })

  it('distinguishes a client that stops sending from a backend that stops reading', () => {
    start(false)
    timer.sending('client')
    pass(99)
    expect(heard).deep.equal([])
    pass(2)
    expect(heard).deep.equal(['upload'])
    start(false)
    timer.sending('backend')
    pass(61)
    expect(heard).deep.equal(['backend'])
  })
})

describe('dispatch/flow-control: backpressure', () => {
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
    return { backpressure, exchange, outlet, res, steps, queue, read, endTick }
  }

  it('writes the output of several reads once per tick', () => {
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

  it('listens once for a client that does not read, for any number of writes and pauses', () => {
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

  it('disconnects a client that reads nothing, but not one that has read', () => {
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

  describe('while a transformer waits for a decision', () => {
    const settled = () => new Promise(resolve => setImmediate(resolve))

    it('reads nothing, and goes on with what the decision was', async () => {
      const { backpressure, exchange, steps } = scene()
      const seen: unknown[] = []
      expect(backpressure.holds(() => {})).equal(false)
      const decision = Promise.withResolvers<void>()
      exchange.holdReply(decision.promise)
      expect(backpressure.holds(thrown => seen.push(thrown))).equal(true)
      expect(backpressure.holds(() => {})).equal(true)
      expect(steps).deep.equal(['pause', 'idle pause'])
      decision.resolve()
      await settled()
      expect(steps.slice(2)).deep.equal(['resume', 'idle resume'])
      expect(seen).deep.equal([undefined])
      const problem = new Error('no decision')
      exchange.holdReply(Promise.reject(problem))
      backpressure.holds(thrown => seen.push(thrown))
      await settled()
      expect(seen).deep.equal([undefined, problem])
    })

    it('waits for every decision', async () => {
      const { backpressure, exchange } = scene()
      const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      exchange.holdReply(one.promise)
      exchange.holdReply(two.promise)
      let went = 0
      backpressure.holds(() => went++)
      two.resolve()
      await settled()
      expect(went).equal(0)
      one.resolve()
      await settled()
      expect(went).equal(1)
    })

    it('reads nothing before the client has read, too, in either order', async () => {
      for (const drainsFirst of [true, false]) {
        const { backpressure, exchange, outlet, res, read, endTick, steps } = scene()
        outlet.keepsUp = false
        read(10)
        endTick()
        const decision = Promise.withResolvers<void>()
        exchange.holdReply(decision.promise)
        backpressure.holds(() => {})
        if (drainsFirst) res.emit('drain')
        else decision.resolve()
        await settled()
        expect(steps).not.include('resume')
        if (drainsFirst) decision.resolve()
        else res.emit('drain')
        await settled()
        expect(steps.filter(step => step === 'resume')).length(1)
      }
    })

    it('goes on with nothing after stop()', async () => {
      const { backpressure, exchange } = scene()
      let went = 0
      exchange.holdReply(Promise.resolve())
      backpressure.holds(() => went++)
      backpressure.stop()
      await settled()
      expect(went).equal(0)
    })
  })

  it('writes and resumes nothing after stop()', () => {
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
