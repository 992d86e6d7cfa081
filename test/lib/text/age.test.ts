import { expect } from 'chai'
import { ageText } from '../../../lib/text/age.ts'

describe('an age as text', () => {
  it('has the largest unit of which there are two', () => {
    expect([0, 119, 120, 7199, 7200, 172_000, 172_800, 604_800].map(ageText)).deep.equal([
      ...['0 s', '119 s', '2 min', '120 min', '2 h', '48 h', '2 d', '7 d'],
    ])
  })
})
