import { expect } from 'chai'
import { teamOf } from '../../../plugins/usage-reports/members.ts'

describe('team', () => {
  it('has the users of the configuration, of the store, and of recorded usage', () => {
    const configured = [{ user: 'ann', role: 'owner' }] as const
    const stored = [
      { user: 'bob', role: 'member', removed: false },
      { user: 'cid', role: 'admin', removed: true },
    ] as const
    expect([...teamOf(configured, stored, ['ann', 'bob', 'dan']).values()]).have.deep.members([
      { user: 'ann', role: 'owner', removed: false },
      { user: 'bob', role: 'member', removed: false },
      { user: 'cid', role: 'admin', removed: true },
      { user: 'dan', role: null, removed: true },
    ])
  })

  it('prefers the configuration', () => {
    const team = teamOf([{ user: 'ann', role: 'member' }], [{ user: 'ann', role: 'owner', removed: true }], [])
    expect(team.get('ann')).deep.equal({ user: 'ann', role: 'member', removed: false })
  })
})
