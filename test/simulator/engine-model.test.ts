import { expect } from 'chai'
import { EngineJob, EngineModel } from '../../simulator/engine-model.ts'
import type { EngineSpeed } from '../../simulator/engine-speed.ts'

/** A step takes 1 ms plus 0.01 ms per token. Blocks have 10 tokens. */
const SPEED: EngineSpeed = {
  overheadMs: 1,
  weightsMs: 0,
  tokenMs: 0.01,
  pairMs: 0,
  kvMs: 0,
  stepTokens: 100,
  batch: 4,
  blockTokens: 10,
  cacheTokens: 400,
}

function setUp(speed: Partial<EngineSpeed> = {}) {
  const engine = new EngineModel({ ...SPEED, ...speed })
  const seen: string[] = []
  const submit = (name: string, promptTokens: number, answerTokens: number, blocks: number[], now = 0) => {
    const job = new EngineJob(promptTokens, answerTokens, blocks, (count, at) =>
      seen.push(`${name}${count}@${at.toFixed(2)}`),
    )
    engine.submit(job, now)
    return job
  }
  const blocks = (start: number, count: number) => Array.from({ length: count }, (_, i) => start + i)
  return { engine, seen, submit, blocks }
}

describe('EngineModel', () => {
  it('computes a prompt, then one token per step', () => {
    const { engine, seen, submit } = setUp()
    submit('a', 50, 3, [])
    expect(engine.next).closeTo(1.5, 1e-9)
    engine.advance(100)
    expect(seen).deep.equal(['a1@1.50', 'a2@2.51', 'a3@3.52'])
    expect([engine.running, engine.waiting, engine.next]).deep.equal([0, 0, Number.POSITIVE_INFINITY])
  })

  it('computes long prompts in chunks, in the steps of the answers', () => {
    const { engine, seen, submit } = setUp()
    submit('a', 10, 10, [])
    engine.advance(1.1)
    submit('b', 150, 1, [], 1.1)
    engine.advance(6)
    expect(seen.filter(event => event.startsWith('b'))).deep.equal(['b1@5.63'])
    expect(seen.filter(event => event.startsWith('a')).length).equal(4)
  })

  it('computes only tokens that are not cached, and the last token', () => {
    const { engine, seen, submit, blocks } = setUp()
    submit('a', 50, 1, blocks(0, 5))
    engine.advance(10)
    expect(engine.cachedBlocks(blocks(0, 8), false)).equal(5)
    const again = submit('b', 50, 1, blocks(0, 5), 10)
    engine.advance(20)
    expect(again.cached).equal(49)
    expect(seen.at(-1)).equal('b1@11.01')
  })

  it('evicts the least recently used blocks, the end of a prompt before its start', () => {
    const { engine, submit, blocks } = setUp({ cacheTokens: 120 })
    submit('a', 50, 1, blocks(0, 5))
    engine.advance(10)
    submit('b', 60, 1, blocks(100, 6), 10)
    engine.advance(20)
    // Five and six blocks, and one of an answer, are twelve.
    submit('c', 30, 1, blocks(200, 3), 20)
    engine.advance(30)
    expect(engine.cachedBlocks(blocks(0, 5), false)).below(5)
    expect(engine.cachedBlocks(blocks(100, 6), false)).equal(6)
  })

  it('admits prompts that fit, in the order of arrival', () => {
    const { engine, seen, submit } = setUp({ cacheTokens: 100 })
    submit('a', 80, 2, [])
    submit('b', 50, 1, [])
    submit('c', 10, 1, [])
    expect([engine.running, engine.waiting]).deep.equal([1, 2])
    expect(engine.unanswered.length).equal(3)
    engine.advance(100)
    expect(seen.map(event => event.slice(0, 2))).deep.equal(['a1', 'a2', 'b1', 'c1'])
  })

  it('ends cancelled jobs, running or waiting', () => {
    const { engine, seen, submit, blocks } = setUp({ batch: 1 })
    const [running, waiting] = [submit('a', 50, 9, blocks(0, 5)), submit('b', 50, 9, blocks(0, 5))]
    engine.advance(2)
    engine.cancel(waiting)
    engine.cancel(running)
    engine.cancel(running)
    engine.advance(100)
    expect(seen).deep.equal(['a1@1.50'])
    expect([engine.running, engine.waiting, engine.answers, engine.promptTokens]).deep.equal([0, 0, 0, 0])
    expect(engine.cachedBlocks(blocks(0, 5), false)).equal(5)
  })

  it('reports requests without a computed token, and the part of its cache that is in use', () => {
    const { engine, submit, blocks } = setUp()
    submit('a', 100, 1, blocks(0, 10))
    submit('b', 100, 1, blocks(10, 10))
    submit('c', 50, 1, blocks(20, 5))
    expect([engine.unscheduled, engine.cacheUse]).deep.equal([2, 0.275])
    engine.advance(2)
    expect(engine.unscheduled).equal(1)
    engine.advance(100)
    expect([engine.unscheduled, engine.cacheUse]).deep.equal([0, 0])
  })

  it('loses its cache, except for what requests in flight use', () => {
    const { engine, submit, blocks } = setUp()
    submit('a', 50, 1, blocks(0, 5))
    engine.advance(10)
    submit('b', 30, 5, blocks(0, 3), 10)
    engine.dropCache()
    expect(engine.cachedBlocks(blocks(0, 5), false)).equal(3)
    engine.advance(100)
    expect(engine.cachedBlocks(blocks(0, 5), false)).equal(3)
  })
})
