import { expect } from 'chai'
import { hourly } from '../../../lib/base/hourly.ts'
import { eventually } from '../../support/gateway.ts'

const ignore = () => {}

describe('hourly', () => {
  it('runs immediately and every hour, even after a failure, until it is stopped', async () => {
    let rounds = 0
    const failures: unknown[] = []
    const disk = new Error('disk')
    const work = async () => {
      rounds++
      if (rounds === 1) throw disk
    }
    const stop = hourly(work, error => void failures.push(error), 5)
    expect(rounds).equal(1)
    await eventually(() => rounds >= 3)
    await stop()
    const then = rounds
    await new Promise(resolve => setTimeout(resolve, 30))
    expect(rounds).equal(then)
    expect(failures).deep.equal([disk])
  })

  it('runs one round at a time; stop() aborts the round and waits for its end', async () => {
    let running = 0
    let most = 0
    let stopped = false
    let rounds = 0
    const work = async (stopping: AbortSignal) => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 20))
      running--
      rounds++
      stopped = stopping.aborted
    }
    const stop = hourly(work, ignore, 5)
    await eventually(() => rounds >= 2 && running === 1)
    await stop()
    expect([most, running, stopped]).deep.equal([1, 0, true])
  })
})
