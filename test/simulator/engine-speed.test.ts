import { expect } from 'chai'
import { EngineJob, EngineModel } from '../../simulator/engine-model.ts'
import { type EngineSpeed, faster, H100_8B } from '../../simulator/engine-speed.ts'

describe('EngineSpeed', () => {
  it('runs in compressed time', () => {
    const job = (speed: EngineSpeed) => {
      const engine = new EngineModel(speed)
      let first = 0
      engine.submit(new EngineJob(30_000, 1, [], (_count, at) => (first = at)), 0)
      engine.advance(1e6)
      return first
    }
    expect(job(H100_8B)).within(1000, 1600)
    expect(job(faster(H100_8B, 20)) * 20).closeTo(job(H100_8B), 1e-6)
  })
})
