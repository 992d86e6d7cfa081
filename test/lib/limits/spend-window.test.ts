import { expect } from 'chai'
import { periodOf, spendWindow } from '../../../lib/limits/spend-window.ts'

describe('the window of a spend limit', () => {
  const HOUR = 3_600_000

  it('has a name with its time and key, which can be parsed', () => {
    const scoped = spendWindow({ windowMs: HOUR, scope: 'k1:model=org/m:1' }, 0)
    expect(periodOf(`a${scoped.name}`)).include({ account: 'a', key: 'k1', model: 'org/m:1', from: 0, to: HOUR })
    const now = 10 * HOUR + 5
    expect(spendWindow({ windowMs: HOUR }, now)).deep.equal({ name: `:budget:${HOUR}:${10 * HOUR}`, end: 11 * HOUR })
    const { name } = spendWindow({ windowMs: HOUR, scope: 'k_1.x' }, now)
    expect(periodOf(`a-b${name}`)).include({ account: 'a-b', key: 'k_1.x', from: 10 * HOUR, to: 11 * HOUR })
    const whole = spendWindow({ windowMs: 2 * HOUR }, now)
    expect(periodOf(`a${whole.name}`)).include({ account: 'a', key: undefined, from: 10 * HOUR, to: 12 * HOUR })
  })

  it('has another name in the next window', () => {
    expect(spendWindow({ windowMs: HOUR }, HOUR - 1).name).not.equal(spendWindow({ windowMs: HOUR }, HOUR).name)
  })

  it('is not parsed from other texts', () => {
    expect(periodOf('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(undefined)
  })
})
