import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { changeKeyOf, createKeyOf, keysOf, revokeKeyOf, rotateKeyOf } from '../../../lib/admin/keys.ts'
import { loadKeys } from '../../../lib/store/keys.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { refusal, useDesk } from '../../support/desk.ts'

describe('keys, for operators', () => {
  const { desk, audit } = useDesk()

  it('of the file are readable, and say where they are to be changed', async () => {
    expect(await keysOf(desk(), ACCOUNT_ID)).deep.include.members([
      { ...(await keysOf(desk(), ACCOUNT_ID))[0]!, id: 'k1', user: 'alice', source: 'file', disabled: false },
    ])
    for (const work of [
      changeKeyOf(desk(), 'k1', { label: 'x' }),
      revokeKeyOf(desk(), 'k1'),
      rotateKeyOf(desk(), 'k1'),
    ])
      expect(await refusal(work)).equal(
        "400 http_400 Key 'k1' is accounts[0].keys[0] of the configuration file: change it there.",
      )
  })

  it('are created, changed, rotated and revoked, each with an entry that has no secret', async () => {
    const { secret, ...created } = await createKeyOf(desk(), ACCOUNT_ID, {
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
    const changed = await changeKeyOf(desk(), created.id, { label: null, disabled: true })
    expect(changed).include({ label: null, disabled: true, expires_at: created.expires_at })
    const rotated = await rotateKeyOf(desk(), created.id, 60)
    expect(rotated.secret).not.equal(secret)
    expect(rotated.previous_valid_until).match(/^2027-/)
    expect(await loadKeys(desk().store)).lengthOf(2)
    expect((await revokeKeyOf(desk(), created.id)).revoked_at).match(/^2027-/)
    expect(await refusal(revokeKeyOf(desk(), created.id))).match(/^404/)
    expect(await audit()).deep.equal(['key.revoke', 'key.rotate', 'key.change', 'key.create'])
    const log = JSON.stringify(await desk().store.db.selectFrom('audit_log').selectAll().execute())
    expect(log).not.contain(secret).and.not.contain(rotated.secret)
    expect((await keysOf(desk(), ACCOUNT_ID)).map(({ id }) => id)).deep.equal(['k1', created.id])
  })

  it('have limits, which are replaced as a whole and can be taken away', async () => {
    const limits = { requests_per_minute: 5, budget_cents: { amount: 100, window: '1d' } }
    const { id, limits: made } = await createKeyOf(desk(), ACCOUNT_ID, { limits })
    expect(made).deep.equal(limits)
    expect((await changeKeyOf(desk(), id, { limits: { concurrency: 2 } })).limits).deep.equal({ concurrency: 2 })
    expect((await loadKeys(desk().store))[0]?.limits).deep.equal({ concurrency: 2 })
    expect((await changeKeyOf(desk(), id, { label: 'x' })).limits).deep.equal({ concurrency: 2 })
    expect((await changeKeyOf(desk(), id, { limits: null })).limits).equal(null)
    const window = { limits: { budget_cents: { amount: 1, window: 'month' } } }
    expect(await refusal(changeKeyOf(desk(), id, window))).match(/^422 .*'limits.budget_cents.window' must be/)
  })

  it('are refused for users, endpoints and models that there are not', async () => {
    const created = (body: Parameters<typeof createKeyOf>[2]) => refusal(createKeyOf(desk(), ACCOUNT_ID, body))
    expect(await created({ user: 'mallory' })).match(/^422 .*'user' is not a member/)
    expect(await created({ endpoints: ['acme.tst'] })).match(/^422 .*did you mean 'acme.test'/)
    expect(await created({ models: ['nope'] })).match(/^422 .*'models.0' is not a model/)
    expect(await created({ kind: 'dedicated' })).match(/^422 .*'endpoints' is required/)
    expect(await refusal(createKeyOf(desk(), 'nobody', {}))).match(/^404/)
    expect(await audit()).deep.equal([])
  })

  it('end in the future when they are made, and may be ended by a change', async () => {
    const made = (expires_at: string) => refusal(createKeyOf(desk(), ACCOUNT_ID, { expires_at }))
    expect(await made('2020-01-01T00:00:00Z')).match(/^422 .*'expires_at' must not be in the past\.$/)
    for (const at of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
      expect(await made(at), at).match(/^422 .*'expires_at' must be between 1970 and 2200\.$/)
    expect(await audit()).deep.equal([])
    const { id } = await createKeyOf(desk(), ACCOUNT_ID, { expires_at: '2199-12-31T23:59:59Z' })
    const { expires_at } = await changeKeyOf(desk(), id, { expires_at: '2020-01-01T00:00:00Z' })
    expect(expires_at).equal('2020-01-01T00:00:00.000000Z')
    expect(await refusal(changeKeyOf(desk(), id, { expires_at: '0001-01-01T00:00:00Z' }))).match(/^422/)
  })

  it('have each model once, each endpoint once, and no empty limits', async () => {
    const { models, limits, id } = await createKeyOf(desk(), ACCOUNT_ID, { models: ['m', 'latest'], limits: {} })
    expect([models, limits]).deep.equal([['m'], null])
    expect((await changeKeyOf(desk(), id, { limits: {} })).limits).equal(null)
    const endpoints = ['acme.test', 'ACME.test']
    expect(await refusal(createKeyOf(desk(), ACCOUNT_ID, { kind: 'dedicated', endpoints }))).match(
      /^422 .*'endpoints\.1' stands in the list twice/,
    )
  })

  it('may be disabled from the start', async () => {
    const { id, disabled } = await createKeyOf(desk(), ACCOUNT_ID, { disabled: true })
    expect(disabled).equal(true)
    expect((await changeKeyOf(desk(), id, { disabled: false })).disabled).equal(false)
  })

  it('leave no entry where nothing is changed', async () => {
    const { id } = await createKeyOf(desk(), ACCOUNT_ID, { label: 'ci' })
    await changeKeyOf(desk(), id, {})
    await changeKeyOf(desk(), id, { label: 'ci', disabled: false })
    await rotateKeyOf(desk(), id)
    expect(await audit()).deep.equal(['key.rotate', 'key.create'])
  })

  it('of another account are not in its list', async () => {
    const { id } = await createAccount(desk(), { name: 'globex' })
    await createKeyOf(desk(), ACCOUNT_ID, {})
    expect(await keysOf(desk(), id)).deep.equal([])
  })
})
