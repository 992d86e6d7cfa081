import { expect } from 'chai'
import { listMembers, saveMember } from '../../../lib/store/accounts.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { createLink, storeSessions } from '../../../lib/store/console-sessions.ts'
import { applyGroups, type GroupMember } from '../../../lib/store/group-members.ts'
import { changeKey, createKey, findKey, keysOfUser } from '../../../lib/store/keys.ts'
import { ownAccounts } from '../../../lib/store/own-accounts.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { clockAt } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 28) * 1000
const OTHER = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'

describe('members by groups', () => {
  onEveryStore(store => {
    let tests = 0
    let now = NOW / 1000
    let actor = { name: '', address: null }
    // Entries of the audit log stay after a test.
    beforeEach(() => {
      actor = { name: `issuer login${++tests}.test`, address: null }
    })
    const apply = (wanted: readonly GroupMember[], inFile: readonly string[] = []) =>
      applyGroups(store(), { user: 'alice', wanted, inFile: new Set(inFile), actor, now: now++ * 1000 })
    const of = (account: string, role: GroupMember['role'] = 'member', group = 'devs') => ({ account, role, group })
    const members = () => listMembers(store(), ACCOUNT_ID)
    const audited = async () => {
      const { entries } = await listAudit(store(), { actor: actor.name }, undefined, 20)
      return entries.toReversed().map(({ action, before, after }) => ({ action, before, after }))
    }
    const newKey = async (account_id: string) =>
      (await createKey(store(), 'service', { account_id, user: 'alice', kind: 'serverless', endpoints: [] }, NOW)).id

    it('appear, change and leave, and the audit log has each change once', async () => {
      await apply([of(ACCOUNT_ID)])
      await apply([of(ACCOUNT_ID)])
      expect(await members()).deep.equal([{ user: 'alice', role: 'member', removed: false, group: 'devs' }])
      await apply([of(ACCOUNT_ID, 'owner', 'leads')])
      expect(await members()).deep.equal([{ user: 'alice', role: 'owner', removed: false, group: 'leads' }])
      await apply([])
      await apply([])
      expect(await members()).deep.equal([{ user: 'alice', role: 'owner', removed: true }])
      const states = [
        { user: 'alice', role: 'member', group: 'devs' },
        { user: 'alice', role: 'owner', group: 'leads' },
      ]
      expect(await audited()).deep.equal([
        { action: 'member.add', before: null, after: states[0] },
        { action: 'member.change', before: states[0], after: states[1] },
        { action: 'member.remove', before: states[1], after: null },
      ])
    })

    it('lose only the keys of the account that they leave, which they cannot enable', async () => {
      await apply([of(ACCOUNT_ID), of(OTHER)])
      const [lost, kept] = [await newKey(ACCOUNT_ID), await newKey(OTHER)]
      const sessions = storeSessions(queryRunner(store()), clockAt(NOW))
      const { secret } = (await sessions.start('alice', 'once'))!
      await apply([of(OTHER)])
      expect(await findKey(store(), lost)).include({ disabled: true, revoked_at: null })
      expect(await findKey(store(), kept)).include({ disabled: false })
      expect((await keysOfUser(store(), 'alice')).map(({ id }) => id)).deep.equal([kept])
      expect((await audited()).find(({ action }) => action === 'key.change')).deep.include({
        before: { user: 'alice', disabled: false },
        after: { user: 'alice', disabled: true },
      })
      // Not the last group.
      expect(await sessions.userOf(secret)).equal('alice')
      await apply([])
      expect(await sessions.userOf(secret)).equal(undefined)
      expect(await ownAccounts(store(), { accounts: [] }, 'alice')).deep.equal([])
      // Back in the group, the person finds the key disabled.
      await apply([of(ACCOUNT_ID)])
      expect((await keysOfUser(store(), 'alice')).map(key => [key.id, key.disabled_by])).deep.equal([[lost, 'group']])
    })

    it('find a key that an operator disabled before they left disabled by the operator', async () => {
      await apply([of(ACCOUNT_ID)])
      const key = await newKey(ACCOUNT_ID)
      await changeKey(store(), key, { disabled: true })
      await apply([])
      await apply([of(ACCOUNT_ID)])
      expect((await keysOfUser(store(), 'alice'))[0]).include({ id: key, disabled_by: 'operator' })
    })

    it('lose links and sessions with the last group', async () => {
      await apply([of(ACCOUNT_ID)])
      const link = await createLink(store(), 'alice', NOW)
      const others = await createLink(store(), 'bob', NOW)
      await apply([])
      const sessions = storeSessions(queryRunner(store()), clockAt(NOW))
      expect(await sessions.open(link)).equal(undefined)
      expect(await sessions.open(others)).include({ user: 'bob' })
    })

    it('do not change members whom an operator has added, nor those of the file', async () => {
      await saveMember(store(), ACCOUNT_ID, 'alice', 'admin', NOW)
      const key = await newKey(ACCOUNT_ID)
      await apply([of(ACCOUNT_ID, 'owner')])
      await apply([])
      expect(await members()).deep.equal([{ user: 'alice', role: 'admin', removed: false }])
      expect(await findKey(store(), key)).include({ disabled: false })
      await apply([of(OTHER)], [OTHER])
      expect(await listMembers(store(), OTHER)).deep.equal([])
      await apply([of(OTHER)])
      await apply([], [OTHER])
      expect((await listMembers(store(), OTHER))[0]).include({ removed: false })
    })

    it('leave a disabled key of a member visible to the member', async () => {
      await saveMember(store(), ACCOUNT_ID, 'alice', 'member', NOW)
      const key = await newKey(ACCOUNT_ID)
      await changeKey(store(), key, { disabled: true })
      expect((await keysOfUser(store(), 'alice')).map(({ id }) => id)).deep.equal([key])
    })
  })
})
