import { expect } from 'chai'
import { GatewayState } from '../../../lib/process/state.ts'

describe('the state of a gateway', () => {
  it('has what the process knows now, and the last reload', async () => {
    const reasons: string[] = []
    const state = new GatewayState('a.yaml', {
      readiness: () => reasons,
      metrics: { metrics: async () => 'x 1\n' },
      pids: () => [1, 2],
    })
    expect(await state.read()).include({ file: 'a.yaml', metrics: 'x 1\n', lastReload: undefined })
    state.noteReload(['no'])
    reasons.push('draining')
    const later = await state.read()
    expect([later.lastReload?.problems, later.unready, later.pids]).deep.equal([['no'], ['draining'], [1, 2]])
  })
})
