import { expect } from 'chai'
import { periodOf, purseOf } from '../../../lib/limits/purse.ts'

describe('the purse of a budget', () => {
  const HOUR = 3_600_000

  it('is named by its window and key, and read back', () => {
    const now = 10 * HOUR + 5
    expect(purseOf({ windowMs: HOUR }, now)).deep.equal({ name: `:budget:${HOUR}:${10 * HOUR}`, end: 11 * HOUR })
    const { name } = purseOf({ windowMs: HOUR, key: 'k_1.x' }, now)
    expect(periodOf(`a-b${name}`)).deep.equal({ account: 'a-b', key: 'k_1.x', from: 10 * HOUR, to: 11 * HOUR })
    const whole = purseOf({ windowMs: 2 * HOUR }, now)
    expect(periodOf(`a${whole.name}`)).deep.equal({ account: 'a', key: undefined, from: 10 * HOUR, to: 12 * HOUR })
  })

  it('is another one in the next window', () => {
    expect(purseOf({ windowMs: HOUR }, HOUR - 1).name).not.equal(purseOf({ windowMs: HOUR }, HOUR).name)
  })

  it('is nothing else', () => {
    expect(periodOf('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(undefined)
  })
})
