import { expect } from 'chai'
import { pino } from 'pino'
import { keepFiles } from '../../../lib/files/keep.ts'
import { eventually } from '../../support/gateway.ts'

describe('files/keep', () => {
  it('sweeps at the start and again, also after a failure, until it is stopped', async () => {
    let sweeps = 0
    const warnings: string[] = []
    const log = pino({}, { write: (line: string) => void warnings.push(line) })
    const sweep = async () => {
      sweeps++
      if (sweeps === 1) throw new Error('disk')
    }
    const stop = keepFiles({ sweep }, log, 5)
    await eventually(() => sweeps >= 3)
    await stop()
    const then = sweeps
    await new Promise(resolve => setTimeout(resolve, 30))
    expect(sweeps).equal(then)
    expect(warnings).length(1)
    expect(warnings[0]).contain('tried again later')
  })

  it('does one sweep at a time, and tells it to stop', async () => {
    let running = 0
    let most = 0
    let stopped = false
    let sweeps = 0
    const sweep = async (stop: AbortSignal) => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 20))
      running--
      sweeps++
      stopped = stop.aborted
    }
    const stop = keepFiles({ sweep }, pino({ level: 'silent' }), 5)
    await eventually(() => sweeps >= 2 && running === 1)
    await stop()
    expect([most, running, stopped]).deep.equal([1, 0, true])
  })
})
