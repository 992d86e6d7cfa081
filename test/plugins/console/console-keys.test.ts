import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/keys.ts'
import { html } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-keys/index.ts'
import { issuedPage, keysPage } from '../../../plugins/console/console-keys/pages.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'

const ALICE = { user: 'alice', secret: 'good' }
const OWN = { id: ACCOUNT_ID, name: '<acme>', models: null }
const sessions = {
  open: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}
const ownKeys = {
  accounts: async (user: string) => (user === 'alice' ? [OWN] : []),
  list: async (user: string) => [
    { id: `key_${user}`, account_id: ACCOUNT_ID, kind: 'serverless' as const, created_at: 1_763_700_000_000_000 },
  ],
  create: async () => 'unknown' as const,
  revoke: async () => false,
}
const config = configOf(`${MODEL}
accounts:
  - id: ${ACCOUNT_ID}
    name: acme
    kind: serverless
    models: [m]
    members: [{ user: alice, role: member }, { user: bob, role: member }]
    keys:
      - { id: k-alice, user: alice, kind: serverless, secret: service_one }
      - { id: k-bob, user: bob, kind: serverless, secret: service_two }
`)
const keys = new KeyRing([['digest', keyOf({ name: '<acme>' }, { id: 'k-bob', user: 'bob' })]])
const ask = (cookie: string) =>
  play(plugin, { route: 'console-keys', headers: { cookie }, services: { sessions, ownKeys, config, keys } })

describe('console-keys', () => {
  it("shows the user's keys, of the store and of the configuration, and nobody else's", async () => {
    const { reply, headers } = await ask('service_session=good')
    expect(reply).include({ status: 200, contentType: 'text/html; charset=utf-8' })
    expect(reply?.body).contain('key_alice').and.contain('2025-11-21').and.contain('k-alice').and.not.contain('bob')
    expect(headers['content-security-policy']).contain("default-src 'none'")
  })

  it('shows nothing without a session', async () => {
    for (const cookie of ['', 'service_session=old', 'other_session=good']) {
      const { reply } = await ask(cookie)
      expect(reply).include({ status: 401 })
      expect(reply?.body).contain('Not signed in').and.not.contain('key_')
    }
  })

  it('escapes names, and names the field of each form', () => {
    const shown = [{ id: 'k"1', kind: 'serverless', account: '<acme>', created: 0 }] as const
    const page = keysPage(ALICE, shown, [OWN], 'Key <x>').toString()
    expect(page).not.contain('<acme>').and.not.contain('<x>')
    expect(page).contain('value="k&quot;1"').and.contain('<label for="account">').and.contain('role="status"')
    expect(page.match(/name="csrf_token"/g)).length(2)
  })

  it('offers no button where there is nothing to do with it', () => {
    const configured = [{ id: 'k1', kind: 'pass', account: 'acme', created: null }] as const
    expect(keysPage(ALICE, configured, [], null).toString())
      .contain('by the operator')
      .and.not.contain('<form')
    expect(keysPage(ALICE, [], [], null).toString()).contain('no keys yet')
  })

  it('shows the secret of a new key', () => {
    const page = issuedPage({ id: 'key_1', secret: 'service_x', account: OWN }, html`<p>lines</p>`).toString()
    expect(page).contain('>service_x</code>').and.contain('<p>lines</p>').and.contain('&lt;acme&gt;')
  })
})
