import { expect } from 'chai'
import { atRate, type Plan } from '../../../bench/routing/plan.ts'
import { rigPlan } from '../../../bench/routing/rig-workloads.ts'

/** Requests per second that are due in the part that counts. */
function rateOf({ sessions, counted }: Plan): number {
  const { from, until } = counted!
  const due = sessions.flatMap(session => session.due!).filter(at => at >= from && at < until)
  return (1000 * due.length) / (until - from)
}

describe('plans', () => {
  it('have the stated rate after the warm-up, for any draw', () => {
    for (const seed of [1, 2, 3]) {
      const plan = rigPlan('chat', 1000, seed)
      expect(rateOf(plan)).within(33, 39)
      expect(rateOf(atRate(plan, 12))).within(11, 13)
    }
  })

  it('are slower in the warm-up', () => {
    const turn = { pieces: [], answerTokens: 1 }
    const session = { id: 's', at: 0, turns: [turn, turn, turn], pauses: [], due: [0, 1000, 3000] }
    const counted = { from: 2000, until: 4000 }
    const plan = atRate({ sessions: [session], baseRate: 10, counted, warmUpRate: 5 }, 20)
    expect(plan.sessions[0]!.due).deep.equal([0, 2000, 4500])
    expect(plan.counted).deep.equal({ from: 4000, until: 5000 })
  })

  it('are the same for the same seed', () => {
    expect(rigPlan('agent', 200, 4)).deep.equal(rigPlan('agent', 200, 4))
    expect(rigPlan('agent', 200, 4)).not.deep.equal(rigPlan('agent', 200, 5))
  })
})
