import { expect } from 'chai'
import { membershipsOf } from '../../../lib/groups/memberships.ts'

const A = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const B = '7d3f8e52-1c46-4f0e-9b7a-2e5d90c1a8f4'
const map = {
  users: { account: A, role: 'member' },
  leads: { account: A.toUpperCase(), role: 'owner' },
  staff: { account: A, role: 'owner' },
  lab: { account: B, role: 'admin' },
} as const

describe('memberships by groups', () => {
  it('are one per account, with the highest role', () => {
    expect(membershipsOf([], map)).deep.equal([])
    expect(membershipsOf(['unknown', 'lab'], map)).deep.equal([{ account: B, role: 'admin', group: 'lab' }])
    expect(membershipsOf(['lab', 'staff', 'leads', 'users'], map)).deep.equal([
      { account: A, role: 'owner', group: 'leads' },
      { account: B, role: 'admin', group: 'lab' },
    ])
  })
})
