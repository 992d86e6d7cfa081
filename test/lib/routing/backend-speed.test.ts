import { expect } from 'chai'
import { BackendSpeed, ModelSpeed, prefillWork } from '../../../lib/routing/backend-speed.ts'

const SET = { prefill_tokens_per_second: 5000, decode_step_ms: 20 }

describe('BackendSpeed', () => {
  it('is that of a common GPU by default', () => {
    const speed = new BackendSpeed(new ModelSpeed())
    expect([speed.tokensPerMs(undefined), speed.stepMs(undefined)]).deep.equal([30, 6])
    expect(speed.kvMs(undefined)).closeTo(5e-5, 1e-9)
  })

  it('is learnt from the fastest prefills and steps, because slow ones have waited', () => {
    const speed = new BackendSpeed(new ModelSpeed())
    for (let i = 1; i <= 10; i++) speed.prefilled(1000, 10 * i)
    expect(speed.tokensPerMs(undefined)).equal(100)
    for (let i = 10; i >= 1; i--) speed.stepped(i)
    expect(speed.stepMs(undefined)).equal(2)
  })

  it('is that of the last 48 samples, updated with every eighth one', () => {
    const model = new ModelSpeed()
    const speed = new BackendSpeed(model)
    for (let i = 0; i < 48; i++) speed.prefilled(1000, 10)
    for (let i = 0; i < 40; i++) speed.prefilled(1000, 40)
    expect(speed.tokensPerMs(undefined)).equal(100)
    for (let i = 0; i < 7; i++) speed.prefilled(1000, 40)
    expect(speed.tokensPerMs(undefined)).equal(100)
    speed.prefilled(1000, 40)
    expect(speed.tokensPerMs(undefined)).equal(25)
  })

  it('derives the step from the prefill until a step is measured', () => {
    const speed = new BackendSpeed(new ModelSpeed())
    speed.prefilled(6000, 10)
    expect(speed.stepMs(undefined)).closeTo(0.3, 1e-9)
  })

  it('assumes that a new backend is as fast as the others, until it clearly differs', () => {
    const model = new ModelSpeed()
    const [fast, slow, fresh] = [new BackendSpeed(model), new BackendSpeed(model), new BackendSpeed(model)]
    for (let i = 0; i < 12; i++) fast.prefilled(1000, 10)
    expect(fresh.tokensPerMs(undefined)).equal(100)
    for (let i = 0; i < 12; i++) slow.prefilled(1000, 40)
    expect(slow.tokensPerMs(undefined)).equal(25)
    expect(fresh.tokensPerMs(undefined)).equal(fast.tokensPerMs(undefined))
  })

  it('ignores prefills that are too short, and stays within bounds', () => {
    const speed = new BackendSpeed(new ModelSpeed())
    speed.prefilled(10, 100)
    speed.prefilled(1000, 0)
    expect(speed.tokensPerMs(undefined)).equal(30)
    speed.prefilled(1e9, 1e-3)
    speed.stepped(1e9)
    expect([speed.tokensPerMs(undefined), speed.stepMs(undefined)]).deep.equal([100_000, 10_000])
  })

  it('is as configured', () => {
    const speed = new BackendSpeed(new ModelSpeed())
    speed.prefilled(1000, 10)
    expect([speed.tokensPerMs(SET), speed.stepMs(SET)]).deep.equal([5, 20])
  })
})

describe('prefillWork', () => {
  it('is one per token, and more with the position', () => {
    expect(prefillWork(0, 32_000)).equal(48_000)
    expect(prefillWork(31_000, 32_000)).closeTo(1984, 1)
    expect(prefillWork(0, 10_000) + prefillWork(10_000, 32_000)).closeTo(48_000, 1e-6)
  })
})
