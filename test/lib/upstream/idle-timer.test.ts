import { mock } from 'node:test'
import { expect } from 'chai'
import { IdleTimer } from '../../../lib/upstream/idle-timer.ts'
import { ManualClock } from '../../support/clock.ts'
import { configOf, MODEL } from '../../support/config.ts'

const TIMEOUTS = { ...configOf(MODEL).timeouts, idle_ms: 60, client_idle_ms: 100, keep_alive_ms: 40 }

describe('pipe/silence', () => {
  let clock: ManualClock
  let heard: string[]
  let silence: IdleTimer

  beforeEach(() => {
    clock = new ManualClock()
    mock.timers.enable({ apis: ['setTimeout'] })
  })

  afterEach(() => {
    silence.stop()
    mock.timers.reset()
  })

  function pass(ms: number): void {
    for (let i = 0; i < ms; i++) {
      clock.advance(1)
      mock.timers.tick(1)
    }
  }

  function start(signs: boolean, timeouts: Partial<typeof TIMEOUTS> = {}): IdleTimer {
    const own: string[] = []
    heard = own
    const listener = {
      onBackendIdle: () => {
        own.push('backend')
        silence.stop()
      },
      onClientIdle: () => {
        own.push('client')
        silence.stop()
      },
      onKeepAliveDue: () => void own.push('sign'),
    }
    silence = new IdleTimer(clock, { ...TIMEOUTS, ...timeouts }, signs, listener)
    return silence
  }

  it('waits for the first content as long as others let it', () => {
    start(false)
    pass(150)
    expect(heard).deep.equal([])
    expect(silence.begun).equal(false)
  })

  it('is noticed once something has begun', () => {
    start(false)
    silence.read()
    silence.begin()
    silence.handled(false)
    expect(silence.begun).equal(true)
    pass(40)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['backend'])
  })

  it('is noticed in time where signs are due later', () => {
    start(true, { keep_alive_ms: 1000 })
    pass(10)
    silence.read()
    silence.begin()
    silence.handled(true)
    pass(70)
    expect(heard).deep.equal(['backend'])
  })

  it('is broken by every read', () => {
    start(false)
    silence.begin()
    for (let i = 0; i < 6; i++) {
      silence.read()
      silence.handled(true)
      pass(25)
    }
    expect(heard).deep.equal([])
  })

  it('is told to the client in time, again and again, and only where that is possible', () => {
    start(true, { idle_ms: 1000 })
    pass(150)
    expect(heard).deep.equal(['sign', 'sign', 'sign'])
    start(false, { idle_ms: 1000 })
    pass(60)
    expect(heard).deep.equal([])
  })

  it('counts for the client what was sent, not what was read', () => {
    start(true, { idle_ms: 1000 })
    for (let i = 0; i < 4; i++) {
      silence.read()
      silence.handled(false)
      pass(20)
    }
    expect(heard).include('sign')
    start(true, { idle_ms: 1000 })
    for (let i = 0; i < 4; i++) {
      silence.read()
      silence.handled(true)
      pass(20)
    }
    expect(heard).deep.equal([])
  })

  it("is the client's once it does not keep up, and needs no sign then", () => {
    start(true)
    silence.begin()
    silence.pause()
    pass(80)
    expect(heard).deep.equal([])
    pass(60)
    expect(heard).deep.equal(['client'])
  })

  it('starts anew when the client keeps up again', () => {
    start(false)
    silence.begin()
    silence.pause()
    pass(80)
    silence.resume()
    pass(40)
    expect(heard).deep.equal([])
    pass(50)
    expect(heard).deep.equal(['backend'])
  })

  it('is over with the reply', () => {
    start(true)
    silence.begin()
    silence.stop()
    silence.read()
    silence.handled(true)
    silence.resume()
    pass(120)
    expect(heard).deep.equal([])
  })
})
