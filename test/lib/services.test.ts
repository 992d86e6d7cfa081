import { expect } from 'chai'
import { systemClock } from '../../lib/services.ts'

describe('the system clock', () => {
  it('tells the time of day in milliseconds', () => {
    const before = Date.now()
    const now = systemClock.now()
    expect(now).within(before, Date.now())
    expect(Number.isInteger(now)).equal(true)
  })

  it('and a time that only goes forward', async () => {
    const before = systemClock.monotonic()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(systemClock.monotonic() - before).within(15, 2000)
  })
})
