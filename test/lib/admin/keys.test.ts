import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { changeKeyOf, createKeyOf, keysBegunWith, keysOf, revokeKeyOf, rotateKeyOf } from '../../../lib/admin/keys.ts'
import { loadKeys } from '../../../lib/store/keys.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('keys, for operators', () => {
  const { context, audit } = useAdminContext()

  it('of the file can be read, and changes are refused with their place in the file', async () => {
    expect(await keysOf(context(), ACCOUNT_ID)).deep.include.members([
      { ...(await keysOf(context(), ACCOUNT_ID))[0]!, id: 'k1', user: 'alice', source: 'file', disabled: false },
    ])
    for (const work of [
      changeKeyOf(context(), 'k1', { label: 'x' }),
      revokeKeyOf(context(), 'k1'),
      rotateKeyOf(context(), 'k1'),
    ])
      expect(await refusal(work)).equal(
        "400 http_400 Key 'k1' is accounts[0].keys[0] of the configuration file: change it there.",
      )
  })

  it('of any account are found by their ids or the beginnings of ids', async () => {
    const account = await createAccount(context(), { name: 'globex' })
    const { id } = await createKeyOf(context(), account.id, {})
    const found = async (text: string) => (await keysBegunWith(context(), text)).map(key => [key.id, key.account_id])
    expect(await found(id)).deep.equal([[id, account.id]])
    expect(await found(id.slice(0, 10))).deep.equal([[id, account.id]])
    expect(await found('k')).deep.equal([
      ['k1', ACCOUNT_ID],
      [id, account.id],
    ])
    expect(await found('key%')).deep.equal([])
  })

  it('are created, changed, rotated and revoked, each with an entry that has no secret', async () => {
    const { secret, ...created } = await createKeyOf(context(), ACCOUNT_ID, {
      user: 'alice',
      label: 'ci',
      expires_at: '2030-01-01T00:00:00Z',
      models: ['latest'],
    })
    expect(created).deep.include({
      label: 'ci',
      models: ['m'],
      expires_at: '2030-01-01T00:00:00.000000Z',
      kind: 'serverless',
    })
    const changed = await changeKeyOf(context(), created.id, { label: null, disabled: true })
    expect(changed).include({ label: null, disabled: true, disabled_by: 'operator', expires_at: created.expires_at })
    const rotated = await rotateKeyOf(context(), created.id, 60)
    expect(rotated.secret).not.equal(secret)
    expect(rotated.previous_valid_until).match(/^2027-/)
    expect(await loadKeys(context().store)).lengthOf(2)
    expect((await revokeKeyOf(context(), created.id)).revoked_at).match(/^2027-/)
    expect(await refusal(revokeKeyOf(context(), created.id))).match(/^404/)
    expect(await audit()).deep.equal(['key.revoke', 'key.rotate', 'key.change', 'key.create'])
    const log = JSON.stringify(await context().store.db.selectFrom('audit_log').selectAll().execute())
    expect(log).not.contain(secret).and.not.contain(rotated.secret)
    expect((await keysOf(context(), ACCOUNT_ID)).map(({ id }) => id)).deep.equal(['k1', created.id])
  })

  it('have limits, which are replaced as a whole and can be removed', async () => {
    const limits = { requests_per_minute: 5, budget_cents: { amount: 100, window: '1d' } }
    const { id, limits: made } = await createKeyOf(context(), ACCOUNT_ID, { limits })
    expect(made).deep.equal(limits)
    expect((await changeKeyOf(context(), id, { limits: { concurrency: 2 } })).limits).deep.equal({ concurrency: 2 })
    expect((await loadKeys(context().store))[0]?.limits).deep.equal({ concurrency: 2 })
    expect((await changeKeyOf(context(), id, { label: 'x' })).limits).deep.equal({ concurrency: 2 })
    expect((await changeKeyOf(context(), id, { limits: null })).limits).equal(null)
    const more = { models: { latest: { concurrency: 1 } }, end_user: { from: 'user', label: false } } as const
    expect((await changeKeyOf(context(), id, { limits: more })).limits).deep.equal({
      ...more,
      models: { m: { concurrency: 1 } },
    })
    const unknown = { limits: { models: { nowhere: {} } } }
    expect(await refusal(changeKeyOf(context(), id, unknown))).match(
      /^422 .*'limits.models.nowhere' is 'nowhere', which is not a model: there /,
    )
    const twice = { limits: { models: { latest: { concurrency: 1 }, m: { concurrency: 2 } } } }
    expect(await refusal(changeKeyOf(context(), id, twice))).match(
      /^422 .*'limits.models.m' is the model 'm', which has limits here already/,
    )
    const window = { limits: { budget_cents: { amount: 1, window: 'month' } } }
    expect(await refusal(changeKeyOf(context(), id, window))).match(/^422 .*'limits.budget_cents.window' must be/)
  })

  it('are refused for unknown users, endpoints and models', async () => {
    const created = (body: Parameters<typeof createKeyOf>[2]) => refusal(createKeyOf(context(), ACCOUNT_ID, body))
    expect(await created({ user: 'mallory' })).match(/^422 .*'user' is 'mallory', who is not a member/)
    expect(await created({ endpoints: ['acme.tst'] })).match(
      /^422 .*'endpoints.0' is 'acme.tst', .*did you mean 'acme.test'/,
    )
    expect(await created({ models: ['nope'] })).match(/^422 .*'models.0' is 'nope', which is not a model: there /)
    expect(await created({ kind: 'dedicated' })).match(/^422 .*'endpoints' is required/)
    expect(await refusal(createKeyOf(context(), 'nobody', {}))).match(/^404/)
    expect(await audit()).deep.equal([])
  })

  it('expire in the future when they are created; a change may end them', async () => {
    const made = (expires_at: string) => refusal(createKeyOf(context(), ACCOUNT_ID, { expires_at }))
    expect(await made('2020-01-01T00:00:00Z')).match(/^422 .*'expires_at' must not be in the past\.$/)
    for (const at of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
      expect(await made(at), at).match(/^422 .*'expires_at' must be between 1970 and 2200\.$/)
    expect(await audit()).deep.equal([])
    const { id } = await createKeyOf(context(), ACCOUNT_ID, { expires_at: '2199-12-31T23:59:59Z' })
    const { expires_at } = await changeKeyOf(context(), id, { expires_at: '2020-01-01T00:00:00Z' })
    expect(expires_at).equal('2020-01-01T00:00:00.000000Z')
    expect(await refusal(changeKeyOf(context(), id, { expires_at: '0001-01-01T00:00:00Z' }))).match(/^422/)
  })

  it('have no duplicate models or endpoints, and no empty limits', async () => {
    const { models, limits, id } = await createKeyOf(context(), ACCOUNT_ID, { models: ['m', 'latest'], limits: {} })
    expect([models, limits]).deep.equal([['m'], null])
    expect((await changeKeyOf(context(), id, { limits: {} })).limits).equal(null)
    const endpoints = ['acme.test', 'ACME.test']
    expect(await refusal(createKeyOf(context(), ACCOUNT_ID, { kind: 'dedicated', endpoints }))).match(
      /^422 .*'endpoints\.1' appears in the list twice/,
    )
  })

  it('can be created as disabled', async () => {
    const { id, disabled } = await createKeyOf(context(), ACCOUNT_ID, { disabled: true })
    expect(disabled).equal(true)
    expect((await changeKeyOf(context(), id, { disabled: false })).disabled).equal(false)
  })

  it('leave no entry if nothing changes', async () => {
    const { id } = await createKeyOf(context(), ACCOUNT_ID, { label: 'ci' })
    await changeKeyOf(context(), id, {})
    await changeKeyOf(context(), id, { label: 'ci', disabled: false })
    await rotateKeyOf(context(), id)
    expect(await audit()).deep.equal(['key.rotate', 'key.create'])
  })

  it('are listed only for their account', async () => {
    const { id } = await createAccount(context(), { name: 'globex' })
    await createKeyOf(context(), ACCOUNT_ID, {})
    expect(await keysOf(context(), id)).deep.equal([])
  })
})
