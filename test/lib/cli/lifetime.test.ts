import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { untilStopped } from '../../../lib/cli/lifetime.ts'

function scene() {
  const calls: string[] = []
  const signals = new EventEmitter()
  const { promise, resolve } = Promise.withResolvers<void>()
  const gateway = {
    drain() {
      calls.push('drain')
      return promise
    },
  }
  const reloader = {
    reload: async () => void calls.push('reload'),
    stop: () => void calls.push('stop'),
  }
  let now = 1000
  const clock = { monotonic: () => now }
  const pass = (ms: number) => {
    now += ms
  }
  return { calls, signals, drained: resolve, pass, code: untilStopped(gateway, reloader, signals, clock) }
}

describe('untilStopped', () => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    it(`${signal} drains, and the exit code is 0`, async () => {
      const { calls, signals, drained, code } = scene()
      signals.emit(signal)
      drained()
      expect(await code).equal(0)
      expect(calls).deep.equal(['stop', 'drain'])
    })
  }

  it('SIGHUP reloads, as often as it comes', async () => {
    const { calls, signals, drained, code } = scene()
    signals.emit('SIGHUP')
    signals.emit('SIGHUP')
    signals.emit('SIGTERM')
    drained()
    await code
    expect(calls).deep.equal(['reload', 'reload', 'stop', 'drain'])
  })

  it('a second signal does not wait for the drain', async () => {
    const { calls, signals, code, pass } = scene()
    signals.emit('SIGTERM')
    await new Promise(setImmediate)
    pass(500)
    signals.emit('SIGINT')
    expect(await code).equal(1)
    expect(calls).deep.equal(['stop', 'drain'])
  })

  it('counts the same signal from several senders once: a process group receives it twice', async () => {
    const { calls, signals, drained, code, pass } = scene()
    signals.emit('SIGTERM')
    signals.emit('SIGTERM')
    await new Promise(setImmediate)
    pass(499)
    signals.emit('SIGINT')
    await new Promise(setImmediate)
    drained()
    expect(await code).equal(0)
    expect(calls).deep.equal(['stop', 'drain'])
  })

  it('listens to nothing afterwards', async () => {
    const { signals, drained, code } = scene()
    signals.emit('SIGTERM')
    drained()
    await code
    expect(signals.eventNames()).deep.equal([])
  })
})
