import { expect } from 'chai'
import { ACCOUNT } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('keys on the page of an account', () => {
  const pages = usePages()
  const path = `/accounts/${ACCOUNT}`
  const list = async () => (await pages().get(`${path}/keys`)).text
  /** The status that a client gets with the key. */
  const models = async (secret: string) => {
    const response = await pages().gateway.get('/v1/models', { authorization: `Bearer ${secret}` })
    return response.status
  }
  const secretOf = (text: string) => /id="secret"[^>]*>([^<]+)/.exec(text)?.[1] ?? ''
  const idOf = (text: string) => /Key <code>([^<]+)</.exec(text)![1]!

  it('are created, valid immediately, shown once, disabled, enabled, rotated and revoked', async () => {
    const created = await pages().send(`${path}/keys`, {
      label: 'ci',
      user: 'alice@test',
      models: 'alias',
      expires: '2099-01-01',
    })
    const [first, id] = [secretOf(created.text), idOf(created.text)]
    expect(textIn(created.text)).contain(`Key ${id} (ci) is created.`)
    expect(await models(first)).equal(200)
    const row = async () =>
      textIn((await list()).split(` data-id><code class="whole">${id}</code>`)[1]!.split('</tr>')[0]!)
    expect(await list()).not.contain(first)
    expect(await row()).contain(`ci active alice@test serverless m – 2099-01-01 00:00:00 – Actions ${id} Limits ${id}`)

    const off = await pages().send(`${path}/keys/${id}/disable`, {})
    expect(textIn(off.text)).contain(`Key ci (${id}) is disabled: it is refused until it is enabled. Undo`)
    expect([await models(first), await row()]).deep.equal([401, await row()])
    expect(await row())
      .contain('disabled by an operator')
      .and.contain('Enable')
    const file = await pages().get(`${path}/keys.csv`)
    expect(file.text)
      .match(/^id,.*,disabled,disabled_by,/)
      .and.match(/,true,operator,/)
    await pages().send(`${path}/keys/${id}/enable`, {})
    const asked = await pages().send(`${path}/keys/${id}/rotate`, {})
    expect(textIn(asked.text)).contain(`Rotate key ci (${id})?`).and.contain('works for another hour')
    const rotated = await pages().send(`${path}/keys/${id}/rotate`, { confirmed: 'yes' })
    const second = secretOf(rotated.text)
    expect(textIn(rotated.text)).contain(`Key ${id} (ci) is rotated: its previous secret works until `)
    expect(second).not.equal(first)
    expect([await models(first), await models(second)]).deep.equal([200, 200])
    const question = await pages().send(`${path}/keys/${id}/revoke`, {})
    expect(textIn(question.text)).contain(`Revoke key ci (${id})?`).and.contain('You cannot undo this')
    expect(await models(second)).equal(200)
    const revoked = await pages().send(`${path}/keys/${id}/revoke`, { confirmed: 'yes' })
    expect(textIn(revoked.text)).contain(`Key ci (${id}) is revoked: it never works again.`)
    expect([await models(first), await models(second)]).deep.equal([401, 401])
    expect(await row())
      .contain('revoked')
      .and.not.contain('Rotate')

    const { entries } = await pages().api('GET', `/admin/v1/audit?account=${ACCOUNT}`)
    const actions = (entries as { action: string }[]).map(({ action }) => action)
    expect(actions.toReversed()).deep.equal(['key.create', 'key.change', 'key.change', 'key.rotate', 'key.revoke'])
    expect(JSON.stringify(entries)).not.contain(first)
  })

  it('have their own limits, which are shown and changed', async () => {
    const created = await pages().send(`${path}/keys`, {
      label: 'slow',
      requests_per_minute: '60',
      budget_window: '1d',
    })
    const id = idOf(created.text)
    const row = async () =>
      textIn((await list()).split(` data-id><code class="whole">${id}</code>`)[1]!.split('</tr>')[0]!)
    expect(await row()).contain(' 60 requests a minute')
    const fields = { concurrency: '2', budget_amount: '500', budget_window: '30d' }
    const changed = await pages().send(`${path}/keys/${id}/limits`, fields)
    expect(textIn(changed.text)).contain(`The limits of key slow (${id}) are: 2 in flight, 5.00 USD in 30d.`)
    expect(await row()).contain(' 2 in flight, 5.00 USD in 30d')
    const wrong = await pages().send(`${path}/keys/${id}/limits`, { concurrency: 'many' })
    expect([wrong.status, textIn(wrong.text).includes('Nothing was changed.')]).deep.equal([422, true])
    expect(wrong.text)
      .contain(`<h1>Limits of key ${id}</h1>`)
      .and.contain('name="budget_amount" size="10" value="500"')
      .and.contain('value="many"')
    expect((await pages().get(`${path}/keys/none/limits`)).text).contain('<h2 class="hidden">Keys</h2>')
    await pages().send(`${path}/keys/${id}/limits`, {})
    expect(await row()).contain(' all –')
    await pages().send(`${path}/keys/${id}/revoke`, { confirmed: 'yes' })
  })

  it('are refused with a wrong user, model or date, and unknown ones cannot be changed', async () => {
    for (const fields of [{ user: 'mallory' }, { models: 'n' }, { expires: 'soon' }, { endpoints: 'a.test' }]) {
      const { status, text } = await pages().send(`${path}/keys`, fields)
      expect(status, JSON.stringify(fields)).within(400, 422)
      expect(text).contain('role="alert"').and.contain('<h2 class="hidden">Keys</h2>')
      expect(text).contain(`value="${Object.values(fields)[0]}"`)
    }
    for (const action of ['rotate', 'disable', 'enable', 'revoke'])
      expect((await pages().send(`${path}/keys/none/${action}`, {})).status, action).equal(404)
    const file = await pages().send(`${path}/keys/k1/revoke`, {})
    expect([file.status, textIn(file.text).includes('accounts[0].keys[0] of the configuration file')]).deep.equal([
      400,
      true,
    ])
  })
})
