import { expect } from 'chai'
import { disabledText } from '../../../lib/admin/key-state.ts'

describe('the state of a disabled key', () => {
  it('says who has disabled it', () => {
    expect((['operator', 'user', 'group'] as const).map(disabledText)).deep.equal([
      'disabled by an operator',
      'disabled by its user',
      'disabled by a group its user left',
    ])
  })
})
