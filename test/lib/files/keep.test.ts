import { expect } from 'chai'
import { pino } from 'pino'
import { keepFiles } from '../../../lib/files/keep.ts'

describe('files/keep', () => {
  it('sweeps at the start, warns where that fails, and tells a sweep to stop', async () => {
    const warnings: string[] = []
    const log = pino({}, { write: (line: string) => void warnings.push(line) })
    const signals: AbortSignal[] = []
    const sweep = async (stopping: AbortSignal) => {
      signals.push(stopping)
      throw new Error('disk')
    }
    await keepFiles({ sweep }, log)()
    expect(signals.map(({ aborted }) => aborted)).deep.equal([true])
    expect(warnings).length(1)
    expect(warnings[0]).contain('tried again later')
  })
})
