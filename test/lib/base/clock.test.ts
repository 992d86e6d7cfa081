import { expect } from 'chai'
import { microsecondClock, systemClock } from '../../../lib/base/clock.ts'

describe('the system clock', () => {
  it('returns the time of day in milliseconds', () => {
    const before = Date.now()
    const now = systemClock.now()
    expect(now).within(before, Date.now())
    expect(Number.isInteger(now)).equal(true)
  })

  it('returns a monotonic time', async () => {
    const started = performance.now()
    const before = systemClock.monotonic()
    await new Promise(resolve => setTimeout(resolve, 20))
    const passed = systemClock.monotonic() - before
    expect(passed).within(15, performance.now() - started)
  })
})

describe('microseconds', () => {
  /** Real time in microseconds, from which both clocks are computed. */
  let at = 0
  let wallOffset = 0
  const START = 1_795_000_000_000
  const clock = () =>
    microsecondClock(
      () => Math.floor((at + wallOffset) / 1000) + START,
      () => at / 1000,
    )
  beforeEach(() => {
    at = 123_400
    wallOffset = 0
  })

  it('are within the current millisecond of the wall clock', () => {
    const micros = clock()
    let error = 0
    for (let i = 0; i < 500; i++) {
      at += 137
      const answer = micros()
      expect(Math.floor(answer / 1000)).equal(Math.floor(at / 1000) + START)
      error = answer - (at + START * 1000)
    }
    expect(Math.abs(error)).at.most(20)
  })

  it('never repeat, even in a tight loop', () => {
    const micros = clock()
    const answers = Array.from({ length: 3000 }, micros)
    for (const [i, answer] of answers.entries()) if (i > 0) expect(answer).greaterThan(answers[i - 1]!)
  })

  it('do not decrease when the wall clock is corrected by a little', () => {
    const micros = clock()
    let last = 0
    for (let i = 0; i < 200; i++) {
      at += 500
      if (i % 20 === 0) wallOffset -= 3000
      const answer = micros()
      expect(answer).greaterThan(last)
      last = answer
    }
  })

  it('follow a wall clock that is set forwards or back', () => {
    const micros = clock()
    for (const offset of [0, 3_600_000_000, -3_600_000_000]) {
      wallOffset = offset
      at += 10_000
      expect(Math.floor(micros() / 1000)).equal(Math.floor((at + offset) / 1000) + START)
    }
  })
})
