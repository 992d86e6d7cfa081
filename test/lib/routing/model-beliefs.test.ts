import { expect } from 'chai'
import { BackendBeliefs, ModelBeliefs, type Prefill, prefillWork } from '../../../lib/routing/model-beliefs.ts'

const UNSET = { prefill_tokens_per_second: undefined, decode_step_ms: undefined }
const SET = { prefill_tokens_per_second: 5000, decode_step_ms: 20 }

function beliefs(model = new ModelBeliefs()) {
  const backend = new BackendBeliefs(model)
  const learn = (newTokens: number, ms: number, members: Partial<Prefill> = {}) =>
    backend.prefilled({ newTokens, work: newTokens, ms, wasQueued: false, ...members }, UNSET, 1)
  return { model, backend, learn, rate: () => backend.workPerMs(UNSET) }
}

describe('the rate of prefills', () => {
  it('is that of a common GPU by default', () => {
    const { model, rate } = beliefs()
    expect([rate(), model.stepMs, model.floor.value]).deep.equal([30, 6, 0])
    expect(model.kvMs(6)).closeTo(5e-5, 1e-9)
  })

  it('is the median of long prefills, and that of the fastest short ones until there are four', () => {
    const { learn, rate } = beliefs()
    for (const ms of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) learn(500, 10 * ms)
    expect(rate()).equal(50)
    for (const ms of [100, 200, 400]) learn(2000, ms)
    expect(rate()).equal(25)
    learn(2000, 200)
    expect(rate()).equal(10)
  })

  it('is not that of cached prompts before there are four long ones', () => {
    const { learn, rate } = beliefs()
    learn(5000, 50)
    for (let i = 0; i < 40; i++) learn(100, 50)
    expect(rate()).equal(100)
  })

  it('has the floor subtracted, but never more than three quarters of the time', () => {
    const { model, learn, rate } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 400)
    for (let i = 0; i < 200; i++) learn(100, 60)
    expect(model.floor.value).closeTo(50, 1)
    for (let i = 0; i < 96; i++) learn(4000, 400 + model.floor.value)
    expect(rate()).closeTo(10, 0.5)
    for (let i = 0; i < 96; i++) learn(1000, 8)
    expect(rate()).equal(500)
  })

  it('is not taught by prefills of a few hundred tokens, which take as long as two steps', () => {
    const { learn, rate, model } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 267)
    const before = rate()
    for (let i = 0; i < 500; i++) learn(200, 60)
    expect(rate()).equal(before)
    expect(model.floor.value).closeTo(60 - 200 / before, 1e-6)
  })

  it('learns nothing from prefills between 300 and 1,000 tokens once long ones are known', () => {
    const { learn, rate, model } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 400)
    for (const tokens of [301, 999]) for (let i = 0; i < 100; i++) learn(tokens, 5000)
    expect([rate(), model.floor.count]).deep.equal([10, 0])
  })

  it('learns from long prefills behind a queue, 8,000 of work at a time, and from no others there', () => {
    const { learn, model, rate } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 200)
    for (let i = 0; i < 7; i++) learn(1000, 100, { wasQueued: true })
    expect(model.rate.count).equal(4)
    learn(1000, 100, { wasQueued: true })
    expect(model.rate.count).equal(5)
    for (let i = 0; i < 100; i++) learn(900, 1e6, { wasQueued: true })
    expect(model.rate.count).equal(5)
    for (let i = 0; i < 90; i++) learn(8000, 800, { wasQueued: true })
    expect(rate()).equal(10)
  })

  it('is that of the model until a backend has twelve samples and differs by 1.4 times', () => {
    const model = new ModelBeliefs()
    const [one, two, fresh] = [beliefs(model), beliefs(model), beliefs(model)]
    for (let i = 0; i < 60; i++) one.learn(4000, 400)
    for (let i = 0; i < 11; i++) two.learn(4000, 200)
    expect(two.rate()).equal(10)
    two.learn(4000, 200)
    expect([one.rate(), two.rate(), fresh.rate()]).deep.equal([10, 20, 10])
    for (let i = 0; i < 48; i++) one.learn(4000, 300)
    expect(one.rate()).equal(model.workPerMs)
  })

  it('is forgotten with the backend, except what the model has learnt', () => {
    const model = new ModelBeliefs()
    const [one, two] = [beliefs(model), beliefs(model)]
    for (let i = 0; i < 96; i++) one.learn(4000, 400)
    for (let i = 0; i < 20; i++) two.learn(4000, 100)
    expect(two.rate()).equal(40)
    two.backend.forget()
    expect(two.rate()).equal(10)
  })

  it('stays within bounds, and ignores prefills that took no time', () => {
    const { learn, rate } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 0)
    expect(rate()).equal(30)
    for (let i = 0; i < 4; i++) learn(1e9, 1e-3)
    expect(rate()).equal(100_000)
  })

  it('is as configured', () => {
    const { backend, learn } = beliefs()
    for (let i = 0; i < 4; i++) learn(4000, 400)
    expect(backend.workPerMs(SET)).equal(5)
  })
})

describe('the decode step', () => {
  const answer = { tokens: 101, ms: 1500, prefillShare: 0, kvTokens: 0 }

  it('is a slow minimum of the time per token, so that it does not rise with load', () => {
    const { model } = beliefs()
    model.answered(answer, 0)
    for (let ms = 0; ms < 24_000; ms += 10) model.answered({ ...answer, ms: 10_500 }, ms)
    expect(model.stepMs).within(15, 15.01)
  })

  it('is derived from the rate of prefills until an answer of more than four tokens has ended', () => {
    const { model, learn } = beliefs()
    for (let i = 0; i < 4; i++) learn(6000, 10)
    model.answered({ ...answer, tokens: 4 }, 0)
    expect(model.stepMs).closeTo(0.3, 1e-9)
  })

  it('grows with the tokens in the cache, by what answers without prefills show', () => {
    const { model } = beliefs()
    model.answered(answer, 0)
    for (let i = 0; i < 10; i++) model.answered({ ...answer, ms: 1600, kvTokens: 10_000 }, 1)
    expect(model.kvMs(15)).closeTo(1e-4, 1e-6)
    for (let i = 0; i < 100; i++) model.answered({ ...answer, ms: 9000, kvTokens: 10_000, prefillShare: 0.3 }, 1)
    for (let i = 0; i < 100; i++) model.answered({ ...answer, ms: 9000, kvTokens: 4000 }, 1)
    expect(model.kvMs(15)).closeTo(1e-4, 1e-6)
    for (let i = 0; i < 100; i++) model.answered({ ...answer, ms: 90_000, kvTokens: 10_000 }, 1)
    expect(model.kvMs(15)).closeTo((2 * 15 * 5e-5) / 6, 1e-9)
  })

  it('has a pace per backend, which follows the load', () => {
    const { backend } = beliefs()
    backend.answered(answer)
    backend.answered({ ...answer, ms: 2500 })
    expect(backend.paceMs).closeTo(16, 1e-9)
  })
})

describe('prefillWork', () => {
  it('is one per token, and more with the position', () => {
    expect(prefillWork(0, 32_000, 32_000)).equal(48_000)
    expect(prefillWork(31_000, 32_000, 32_000)).closeTo(1984, 1)
    expect(prefillWork(0, 10_000, 18_000) + prefillWork(10_000, 32_000, 18_000)).closeTo(
      prefillWork(0, 32_000, 18_000),
      1e-6,
    )
    expect(prefillWork(0, 100_000, 10_000_000)).closeTo(100_500, 1)
  })
})
