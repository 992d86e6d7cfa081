import { expect } from 'chai'
import { accountList } from '../../../lib/admin/account-list.ts'
import {
  accountJson,
  accountOf,
  changeAccount,
  createAccount,
  dropMember,
  knownAccounts,
  membersOf,
} from '../../../lib/admin/accounts.ts'
import { issueKey } from '../../../lib/admin/keys.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { applyGroups } from '../../../lib/store/group-members.ts'
import { listKeys } from '../../../lib/store/keys.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('accounts, for operators', () => {
  const { context, audit } = useAdminContext()

  it('are those of the file and of the store; the file wins for the same id', async () => {
    const { id } = await createAccount(context(), { name: 'globex', kind: 'enterprise' })
    const shadowed = {
      id: ACCOUNT_ID,
      name: 'shadowed',
      kind: 'serverless',
      models: ['*'],
      zdr_required: false,
    } as const
    await saveAccount(context().store, { ...shadowed, plan: undefined, credits_cents: undefined }, 1)
    const accounts = await knownAccounts(context().config, context().store)
    expect(accounts.map(account => [account.id, account.name])).deep.equal([
      [ACCOUNT_ID, 'acme'],
      [id, 'globex'],
    ])
    expect((await accountJson(context(), accounts[0]!)).source).equal('file')
  })

  it('are created with plan, models, credits and members', async () => {
    const created = await createAccount(context(), {
      name: 'globex',
      plan: 'small',
      models: ['latest'],
      credits_cents: 500,
      members: [{ user: 'bob', role: 'owner' }],
    })
    expect(created).deep.include({
      name: 'globex',
      kind: 'serverless',
      plan: 'small',
      models: ['m'],
      credits_cents: 500,
      members: [{ user: 'bob', role: 'owner' }],
      disabled: false,
      source: 'store',
    })
    expect(await audit()).deep.equal(['account.create'])
  })

  it('change only in the given members; the log has the state before and after', async () => {
    const { id } = await createAccount(context(), { name: 'globex', plan: 'small', credits_cents: 5 })
    const changed = await changeAccount(context(), id, { disabled: true, plan: null, kind: 'enterprise' })
    expect(changed).include({ kind: 'enterprise', disabled: true, plan: null, credits_cents: 5, name: 'globex' })
    const [entry] = await context().store.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').execute()
    expect(entry).include({ action: 'account.change', target: id, account_id: id, actor: 'operator alice (op_1)' })
    expect(JSON.parse(entry!.before_change!)).include({ disabled: false, plan: 'small' })
    expect(JSON.parse(entry!.after_change!)).include({ disabled: true, plan: null })
    await changeAccount(context(), id, { disabled: true })
    expect(await audit()).deep.equal(['account.change', 'account.create'])
  })

  it('name the group that makes a user a member, in one account and in lists', async () => {
    const { store, now } = context()
    const { id } = await createAccount(context(), { name: 'globex' })
    const wanted = [{ account: id, role: 'admin', group: 'devs' } as const]
    const actor = { name: 'issuer login.test', address: null }
    await applyGroups(store, { user: 'bob', wanted, inFile: new Set(), actor, now })
    const bob = { user: 'bob', role: 'admin', group: 'devs' }
    expect((await accountJson(context(), await accountOf(context(), id))).members).deep.equal([bob])
    const { accounts } = await accountList(context(), { limit: 9, name: 'globex' })
    expect((accounts as { members: unknown }[])[0]!.members).deep.equal([bob])
    // A client may send back what it has read.
    await changeAccount(context(), id, { members: [bob] as never })
    expect(await membersOf(context().config, store, id)).deep.equal([bob])
    await dropMember(context(), id, 'bob')
    expect(await membersOf(context().config, store, id)).deep.equal([])
  })

  it('lose members that are not in a new list, and their keys', async () => {
    const members = [
      { user: 'bob', role: 'owner' as const },
      { user: 'carol', role: 'member' as const },
    ]
    const { id } = await createAccount(context(), { name: 'globex', members })
    await issueKey(context(), { account_id: id, user: 'carol', kind: 'serverless', endpoints: [] })
    await changeAccount(context(), id, { members: [{ user: 'bob', role: 'admin' }] })
    expect(await membersOf(context().config, context().store, id)).deep.equal([{ user: 'bob', role: 'admin' }])
    expect((await listKeys(context().store, id)).map(({ revoked_at }) => revoked_at === null)).deep.equal([false])
    expect(await dropMember(context(), id, 'bob')).equal(true)
    expect(await dropMember(context(), id, 'bob')).equal(false)
    expect(await audit()).deep.equal(['member.remove', 'account.change', 'key.create', 'account.create'])
  })

  it('of the file are refused with their place in the file', async () => {
    expect(await refusal(changeAccount(context(), ACCOUNT_ID, { disabled: true }))).equal(
      "400 http_400 Account 'acme' is accounts[0] of the configuration file: change it there.",
    )
    expect(await audit()).deep.equal([])
  })

  it('are refused with names in use, and with unknown plans and models', async () => {
    expect(await refusal(createAccount(context(), { name: 'acme' }))).match(/^400 http_400 There is already/)
    expect(await refusal(createAccount(context(), { name: 'a', plan: 'smal' }))).match(/^422 .*did you mean 'small'/)
    expect(await refusal(createAccount(context(), { name: 'a', models: ['othr'] }))).match(
      /^422 .*'models.0' .*'other'/,
    )
    expect(await refusal(accountOf(context(), 'nobody'))).match(/^404 http_404/)
    const twice = ['bob', 'bob'].map(user => ({ user, role: 'owner' as const }))
    expect(await refusal(createAccount(context(), { name: 'a', members: twice }))).match(
      /^422 .*'members\.1\.user' appears in the list twice/,
    )
    const { id } = await createAccount(context(), { name: 'globex' })
    expect(await refusal(changeAccount(context(), id, { name: 'acme' }))).match(/^400/)
    expect(await changeAccount(context(), id, { name: 'globex' })).include({ name: 'globex' })
  })
})
