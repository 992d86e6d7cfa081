import { expect } from 'chai'
import { BackendLoad, newQueued } from '../../../lib/routing/backend-load.ts'
import { BackendSpeed, ModelSpeed } from '../../../lib/routing/backend-speed.ts'
import { type CostInput, costOfSending } from '../../../lib/routing/cost.ts'

function input(members: Partial<CostInput> = {}): CostInput {
  return {
    load: new BackendLoad(),
    speed: new BackendSpeed(new ModelSpeed()),
    configured: { prefill_tokens_per_second: 10_000, decode_step_ms: 8 },
    promptTokens: 1000,
    knownTokens: 0,
    evictionPressure: 0,
    meanNewTokens: 500,
    weight: 1,
    now: 0,
    ...members,
  }
}

describe('costOfSending', () => {
  it('includes the prefill of the tokens that are not known', () => {
    expect(costOfSending(input()).cost).closeTo(101.56, 0.01)
    expect(costOfSending(input({ knownTokens: 900 })).cost).closeTo(10.3, 0.01)
    expect(costOfSending(input({ knownTokens: 1000 })).cost).equal(0)
  })

  it('includes the queued prefills, and the time that it takes from answers', () => {
    const load = new BackendLoad()
    const first = newQueued(70)
    load.sent(first, 1000, 0)
    const waiting = costOfSending(input({ load, knownTokens: 1000 }))
    expect(waiting.waitMs).equal(70)
    load.begun(first, 0)
    const answering = costOfSending(input({ load, knownTokens: 1000 }))
    expect(answering.waitMs).equal(0)
    expect(answering.decodeMs).closeTo(5 + 3 * (8 * (5e-5 / 6)) * 1000, 1e-9)
  })

  it('includes the eviction of young chunks, up to a limit', () => {
    expect(costOfSending(input({ evictionPressure: 0.5 })).pressureMs).equal(50)
    expect(costOfSending(input({ evictionPressure: 1, meanNewTokens: 1e6 })).pressureMs).equal(150)
  })

  it('is divided by the weight', () => {
    expect(costOfSending(input({ weight: 4 })).cost).equal(costOfSending(input()).cost / 4)
  })
})
