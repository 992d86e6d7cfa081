import { expect } from 'chai'
import { PROFILES, type ProfileName } from '../../../bench/routing/profiles.ts'
import { EngineJob, EngineModel } from '../../../simulator/engine-model.ts'

/** Times of the tokens of one request on an idle engine, from when it is submitted. */
function timesOf(profile: ProfileName, promptTokens: number, answerTokens: number): number[] {
  const engine = new EngineModel(PROFILES[profile].speed)
  const times: number[] = []
  engine.submit(new EngineJob(promptTokens, answerTokens, [], (_, at) => times.push(at)), 0)
  while (engine.next < Number.POSITIVE_INFINITY) engine.advance(engine.next)
  return times
}

describe('engine profiles', () => {
  it('give the steps that were measured on a quarter of an H200', () => {
    const [first, second] = timesOf('h200-quarter', 1024, 2)
    expect(first).within(66, 70)
    expect(second! - first!).within(15, 15.5)
    const [long] = timesOf('h200-quarter', 4096, 1)
    expect(4096 / long!).within(13.5, 15.5)
  })

  it('read the KV cache in each step', () => {
    const at = (promptTokens: number) => {
      const [first, second] = timesOf('h200-quarter', promptTokens, 2)
      return second! - first!
    }
    expect(at(100_000) - at(10_000)).closeTo(18, 0.01)
  })

  it('double the cost of a token at a position that differs by model', () => {
    const positions = Object.values(PROFILES).map(({ speed }) => Math.round(speed.tokenMs / speed.pairMs / 1000))
    expect(positions).deep.equal([32, 18, 20, 325])
  })
})
