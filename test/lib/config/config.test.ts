import { expect } from 'chai'
import { windowMilliseconds } from '../../../lib/config/config.ts'

describe('windowMilliseconds', () => {
  it('knows minutes, hours and days', () => {
    expect(windowMilliseconds('30m')).equal(1_800_000)
    expect(windowMilliseconds('1h')).equal(3_600_000)
    expect(windowMilliseconds('1d')).equal(86_400_000)
    expect(windowMilliseconds('7d')).equal(604_800_000)
  })

  it('knows nothing else', () => {
    for (const text of ['', '1', 'd', '0d', '01d', '-1d', '1.5h', '1w', '1 d', '1D', '367d', '9999999m']) {
      expect(windowMilliseconds(text), text).equal(undefined)
    }
  })
})
