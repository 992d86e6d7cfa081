import { expect } from 'chai'
import { atOnce, ITEMS_PER_STEP, inTurns, Pace, type Steps } from '../../../lib/base/steps.ts'
import { ticksDuring } from '../../support/ticks.ts'

/** Adds up the numbers below `count`. */
function* sum(count: number): Steps<number> {
  let all = 0
  const pace = new Pace()
  for (let i = 0; i < count; i++) {
    if (pace.isStep()) yield
    all += i
  }
  return all
}

/** Each step takes three milliseconds. */
function* slow(steps: number): Steps<string> {
  for (let i = 0; i < steps; i++) {
    const until = performance.now() + 3
    while (performance.now() < until);
    yield
  }
  return 'done'
}

function* failing(steps: number): Steps<never> {
  for (let i = 0; i < steps; i++) yield
  throw new Error('refused')
}

const pauses = (count: number) => [...sum(count)].length

describe('base/steps', () => {
  it('give their result at once where that is asked for', () => {
    expect(atOnce(sum(10_000))).equal(49_995_000)
    expect(() => atOnce(failing(3))).throw('refused')
  })

  it('give their result without a promise where the work ends before a pause', () => {
    expect(inTurns(sum(ITEMS_PER_STEP))).equal((ITEMS_PER_STEP * (ITEMS_PER_STEP - 1)) / 2)
    expect(() => inTurns(failing(0))).throw('refused')
  })

  it('give other work the event loop between them', async () => {
    let result: unknown
    const ticks = await ticksDuring(async () => {
      const pending = inTurns(slow(6))
      expect(pending).instanceOf(Promise)
      result = await pending
    })
    expect(result).equal('done')
    expect(ticks).least(4)
  })

  it('reject with what is thrown behind a pause', async () => {
    const thrown = await Promise.resolve(inTurns(failing(2))).catch((error: Error) => error.message)
    expect(thrown).equal('refused')
  })

  it('begin with each so many items', () => {
    expect([0, 1, ITEMS_PER_STEP].map(pauses)).deep.equal([0, 0, 0])
    expect([ITEMS_PER_STEP + 1, 2 * ITEMS_PER_STEP, 2 * ITEMS_PER_STEP + 1].map(pauses)).deep.equal([1, 1, 2])
  })
})
