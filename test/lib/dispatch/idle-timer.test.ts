import { mock } from 'node:test'
import { expect } from 'chai'
import { type IdleEvent, IdleTimer } from '../../../lib/dispatch/idle-timer.ts'
import { ManualClock } from '../../support/clock.ts'
import { configOf, MODEL } from '../../support/config.ts'

const TIMEOUTS = {
  ...configOf(MODEL).timeouts,
  first_byte_ms: 500,
  idle_ms: 60,
  client_idle_ms: 100,
  keep_alive_ms: 40,
}

describe('dispatch/idle-timer', () => {
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
    const listener = {
      onIdle(event: IdleEvent) {
        own.push(event)
        if (event !== 'keep-alive') timer.stop()
      },
    }
    timer = new IdleTimer(clock, { ...TIMEOUTS, ...timeouts }, listener)
    timer.headReceived(comments)
    return timer
  }

  it('waits for the first content for first_byte_ms, from the start on', () => {
    start(false)
    pass(150)
    timer.headReceived(false)
    timer.read()
    pass(340)
    expect(heard).deep.equal([])
    pass(20)
    expect(heard).deep.equal(['backend'])
  })

  it('sends comments while it waits for the first content', () => {
    start(true, { keep_alive_ms: 200 })
    pass(510)
    expect(heard).deep.equal(['keep-alive', 'keep-alive', 'backend'])
  })

  it('can be given another time for the content', () => {
    start(false)
    timer.expectWithin(50)
    pass(45)
    expect(heard).deep.equal([])
    pass(10)
    expect(heard).deep.equal(['backend'])
  })

  it('notices a backend that stops, once content has come', () => {
    start(false)
    timer.read()
    timer.begin()
    pass(40)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['backend'])
  })

  it('sets no timer anew for content that comes soon', () => {
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

  it('notices it in time where comments are due later', () => {
    start(true, { keep_alive_ms: 1000 })
    pass(10)
    timer.read()
    timer.begin()
    timer.wrote()
    pass(70)
    expect(heard).deep.equal(['backend'])
  })

  it('starts again at every read', () => {
    start(false)
    timer.begin()
    for (let i = 0; i < 6; i++) {
      timer.read()
      timer.wrote()
      pass(25)
    }
    expect(heard).deep.equal([])
  })

  it('asks for a comment at each interval, and only where comments can be sent', () => {
    start(true, { idle_ms: 1000 })
    pass(150)
    expect(heard).deep.equal(['keep-alive', 'keep-alive', 'keep-alive'])
    start(false, { idle_ms: 1000 })
    pass(60)
    expect(heard).deep.equal([])
  })

  it('counts writes for the client, not reads', () => {
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

  it('detects a client that reads nothing, and sends it no comment meanwhile', () => {
    start(true)
    timer.begin()
    timer.pause()
    pass(80)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['client'])
  })

  it('starts again at drain', () => {
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

  it('waits for the side that does not get on while the body is sent, and for the first content only after it', () => {
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

  it('tells a client that sends nothing more from a backend that takes nothing more', () => {
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
