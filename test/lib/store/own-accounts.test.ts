import { expect } from 'chai'
import { removeMember, saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { createKey } from '../../../lib/store/keys.ts'
import { isManager, ownAccounts } from '../../../lib/store/own-accounts.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const STORED = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const config = configOf(`${MODEL}
accounts:
  - { id: ${ACCOUNT_ID}, name: acme, kind: serverless, models: [m], members: [{ user: alice, role: member }] }
`)

describe('own accounts', () => {
  onEveryStore(store => {
    beforeEach(async () => {
      const fields = { zdr_required: false, models: ['*'], plan: 'pro', credits_cents: 500 }
      await saveAccount(store(), { id: STORED, name: 'stored', kind: 'enterprise', ...fields }, 1)
      await saveMember(store(), STORED, 'bob', 'owner', 1)
      await saveMember(store(), ACCOUNT_ID, 'carol', 'admin', 1)
      await saveMember(store(), ACCOUNT_ID, 'alice', 'owner', 1)
    })

    it('are those of configuration and store in which the user is a member', async () => {
      const accounts = async (user: string) =>
        (await ownAccounts(store(), config, user)).map(({ name, role }) => `${name} ${role}`)
      expect(await accounts('alice')).deep.equal(['acme member'])
      expect(await accounts('bob')).deep.equal(['stored owner'])
      expect(await accounts('carol')).deep.equal(['acme admin'])
      expect(await accounts('mallory')).deep.equal([])
      const key = { account_id: STORED, user: 'dave', kind: 'pass', endpoints: [] } as const
      await createKey(store(), 'service', key, 1)
      expect(await accounts('dave')).deep.equal(['stored null'])
      await removeMember(store(), STORED, 'bob', 2)
      expect(await accounts('bob')).deep.equal([])
    })

    it('have the members of an account', async () => {
      const [acme] = await ownAccounts(store(), config, 'alice')
      expect(acme!.models).deep.equal(new Set(['m']))
      const [stored] = await ownAccounts(store(), config, 'bob')
      expect(stored).include({ models: null, plan: 'pro', creditsCents: 500, kind: 'enterprise', disabled: false })
    })
  })

  it('are managed by owners and admins', () => {
    expect((['owner', 'admin', 'member', null] as const).map(isManager)).deep.equal([true, true, false, false])
  })
})
