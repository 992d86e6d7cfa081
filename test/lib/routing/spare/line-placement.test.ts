import { expect } from 'chai'
import { MovingMean } from '../../../../lib/routing/samples.ts'
import { LinePlacement } from '../../../../lib/routing/spare/line-placement.ts'
import { promptNamed, routedModel } from '../../../support/routed-model.ts'

const usage = { promptTokens: 5000, completionTokens: 300, cachedTokens: null, reasoningTokens: null }

describe('LinePlacement', () => {
  function scene() {
    const routed = routedModel([{}])
    const backend = [...routed.pool.backends()][0]!
    const at = routed.routing.of(backend)
    const answers = new MovingMean(0.1)
    const place = (name: string, isStreamed = false) =>
      new LinePlacement(routed.routing.context, at, { ...promptNamed(name), isStreamed }, answers)
    return { ...routed, at, answers, place }
  }

  it('is a part of the load of lines, not of interactive requests, until it ends', () => {
    const { at, place, answers, clock } = scene()
    const placement = place('a')
    expect([at.lines.count, at.load.queued, at.load.promptTokens]).deep.equal([1, 0, 0])
    expect(at.lines.load.promptTokens).closeTo(5000, 10)
    expect(at.lines.metMs(clock.monotonic())).above(0)
    expect(at.index.lineChunks).equal(at.index.size).above(10)
    placement.ended(usage)
    placement.ended(usage)
    expect(at.lines.count).equal(0)
    expect(answers.value).equal(300)
  })

  it('counts its prompt as computed when that is expected, if its first token is not seen', () => {
    const { at, place, clock } = scene()
    const placement = place('a')
    const { prefillMs } = placement.request
    expect(prefillMs).above(100)
    clock.advance(prefillMs - 1)
    expect(at.lines.load.queuedAt(clock.monotonic())).equal(1)
    clock.advance(1)
    expect(at.lines.load.queuedAt(clock.monotonic())).equal(0)
    expect(at.lines.load.answers).equal(1)
    placement.ended(undefined)
    expect(at.index.size).above(0)
  })

  it('waits for the first token of a stream, and takes its chunks back if it never begins', () => {
    const { at, place, clock } = scene()
    const one = place('a', true)
    clock.advance(60_000)
    expect(at.lines.load.queuedAt(clock.monotonic())).equal(1)
    one.begun()
    expect(at.lines.load.answers).equal(1)
    one.ended(undefined)
    const { size } = at.index
    const other = place('b', true)
    expect(at.index.size).above(size)
    other.ended(undefined)
    expect(at.index.size).equal(size)
  })
})
