import { expect } from 'chai'
import { BackendLoad, loadedRequest } from '../../../lib/routing/backend-load.ts'
import { type CostInput, costOfSending } from '../../../lib/routing/cost.ts'

const SPEED = { workPerMs: 10, floorMs: 40, stepMs: 8, kvMs: 1e-4, requestMs: 2000 }

function input(members: Partial<CostInput> = {}): CostInput {
  return {
    load: new BackendLoad(() => 20),
    lines: new BackendLoad(() => 20),
    speed: SPEED,
    attentionTokens: 32_000,
    queued: 0,
    promptTokens: 1000,
    knownTokens: 0,
    isNew: false,
    cacheTokens: 100_000,
    evictionPressure: 0,
    meanNewTokens: 500,
    weight: 1,
    now: 0,
    ...members,
  }
}

const request = (prefillMs: number, promptTokens = 1000, newTokens = 0) =>
  loadedRequest({ promptTokens, newTokens, prefillMs })

describe('costOfSending', () => {
  it('includes the prefill of the tokens that are not known, at the rate of the model', () => {
    expect(costOfSending(input()).ownMs).closeTo(101.56, 0.01)
    expect(costOfSending(input({ knownTokens: 900 })).ownMs).closeTo(10.3, 0.01)
    expect(costOfSending(input({ knownTokens: 1000 })).cost).equal(0)
    expect(costOfSending(input({ attentionTokens: 10_000_000 })).ownMs).closeTo(100, 0.01)
  })

  it('adds half of its own prefill for each request that is queued, per backend', () => {
    const { ownMs, crowdingMs } = costOfSending(input({ queued: 3 }))
    expect(crowdingMs).equal(1.5 * ownMs)
    expect(costOfSending(input({ queued: 3, knownTokens: 1000 })).crowdingMs).equal(0)
  })

  it('includes the queued prefills, and the time that it takes from answers', () => {
    const load = new BackendLoad(() => 20)
    const first = request(70)
    load.sent(first, 0)
    expect(costOfSending(input({ load, knownTokens: 1000 })).waitMs).equal(70)
    load.begun(first, 0)
    const answering = costOfSending(input({ load, knownTokens: 1000, now: 400 }))
    expect(answering.waitMs).equal(0)
    // 1,000 tokens of the prompt, and 400 ms / 20 ms of the answer.
    expect(answering.decodeMs).closeTo((5 / 16) * 8 + 3 * 1e-4 * 1020, 1e-9)
  })

  it('includes the eviction of young chunks, up to a limit', () => {
    expect(costOfSending(input({ evictionPressure: 0.5 })).pressureMs).equal(50)
    expect(costOfSending(input({ evictionPressure: 1, meanNewTokens: 1e6 })).pressureMs).equal(150)
  })

  it('includes the time until requests in flight release memory, if the size of the cache is known', () => {
    const load = new BackendLoad(() => 20)
    load.sent(request(0, 90_000, 90_000), 0)
    const memory = (members: Partial<CostInput>) => costOfSending(input({ load, ...members })).memoryMs
    expect(memory({})).equal(0)
    expect(memory({ promptTokens: 14_000 })).closeTo((9000 * 2000) / 90_000, 1e-9)
    expect(memory({ promptTokens: 14_000, knownTokens: 9000 })).equal(0)
    expect(memory({ promptTokens: 14_000, cacheTokens: undefined })).equal(0)
  })

  it('includes lines of batches, unless no backend knows the prompt: its conversation stays longer than they do', () => {
    const lines = new BackendLoad(() => 20)
    lines.sent(request(70), 0)
    const { waitMs, decodeMs } = costOfSending(input({ lines }))
    expect(waitMs).equal(70)
    expect(decodeMs).closeTo(4.5 * (1 / 10 + 1e-4 * 1000), 1e-9)
    const isNew = costOfSending(input({ lines, isNew: true }))
    expect([isNew.waitMs, isNew.decodeMs]).deep.equal([0, 0])
  })

  it('divides only the wait by the weight', () => {
    const load = new BackendLoad(() => 20)
    load.sent(request(80), 0)
    const [one, four] = [1, 4].map(weight => costOfSending(input({ load, weight })))
    expect(four!.waitMs).equal(one!.waitMs / 4)
    expect([four!.ownMs, four!.decodeMs]).deep.equal([one!.ownMs, one!.decodeMs])
  })

  it('is the sum of its terms', () => {
    const load = new BackendLoad(() => 20)
    load.sent(request(80, 90_000, 90_000), 0)
    const { cost, ...terms } = costOfSending(input({ load, queued: 2, evictionPressure: 0.3, promptTokens: 20_000 }))
    const values = Object.values(terms)
    expect(values).length(6)
    expect(cost).closeTo(
      values.reduce((sum, term) => sum + term, 0),
      1e-9,
    )
  })
})
