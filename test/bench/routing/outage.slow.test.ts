import { expect } from 'chai'
import { runOutage } from '../../../bench/routing/outage.ts'

describe('engines that die under load and restart with empty caches', () => {
  it('have no effect on the time to the first token 30 s later', () => {
    const run = { policy: 'cost', workload: 'chat', engines: 4, requestsPerSecond: 14, seed: 1 } as const
    const { planned, answered, lost, windows } = runOutage(run)
    // Other engines answer the requests whose answers had not begun.
    expect(answered + lost).equal(planned)
    expect(lost).within(1, 50)
    const [before, away] = windows
    const last = windows.at(-1)!
    expect(away!.mean).above(1.2 * away!.undisturbed)
    expect(last.mean).below(1.1 * last.undisturbed)
    expect(last.mean).below(1.1 * before!.mean)
  })
})
