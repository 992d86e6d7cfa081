import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/access.ts'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/serverless-keys/index.ts'
import { sessionUser } from '../../../plugins/slots.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'
import { replyProblems } from '../../support/reply-schemas.ts'

const OTHER = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const keys = new KeyRing([
  ['digest-1', keyOf({}, { id: 'k1', user: 'alice', endpoints: ['acme-1.test'] })],
  ['digest-2', keyOf({}, { id: 'k2', user: 'bob' })],
  ['digest-3', keyOf({}, { id: 'k3', user: undefined })],
  ['digest-4', keyOf({}, { id: 'k4', user: 'alice', kind: 'dedicated' })],
  ['digest-5', keyOf({ id: OTHER, name: 'other' }, { id: 'k5', user: 'alice' })],
])

const ask = (user: string, query = '') => play(plugin, { given: [[sessionUser, user]], query, services: { keys } })

const listed = async (user: string) => (await ask(user)).reply

describe('serverless-keys', () => {
  it("lists the user's own serverless keys, of any account", async () => {
    const reply = await listed('alice')
    expect(reply).include({ status: 200 })
    expect(reply?.body).deep.equal({
      keys: [
        { id: 'k1', kind: 'serverless', endpoints: ['acme-1.test'], account_id: ACCOUNT_ID, account_name: 'acme' },
        { id: 'k5', kind: 'serverless', endpoints: [], account_id: OTHER, account_name: 'other' },
      ],
    })
    expect(replyProblems('serverless-keys', reply?.body)).deep.equal([])
  })

  it('shows no part of a secret', async () => {
    expect(JSON.stringify((await listed('alice'))?.body)).not.contain('digest')
  })

  it('is an empty list for a user without keys', async () => {
    expect((await listed('carol'))?.body).deep.equal({ keys: [] })
  })

  it('refuses any parameter, because none has an effect', async () => {
    const { error } = await ask('alice', 'account=acme')
    expect(error).include({ status: 400, code: 'unsupported_parameter' })
    expect(error!.details.param).equal('account')
  })
})
