import { expect } from 'chai'
import { KeyRing, ModelCatalog } from '../../../lib/accounts/access.ts'
import type { OwnAccount, OwnKeys, StoredKey } from '../../../lib/console.ts'
import plugin from '../../../plugins/console/console-keys/index.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'
import { visit } from '../../support/visit.ts'
import { formToken, noOwnKeys } from '../../support/visitors.ts'

const ACCOUNT: OwnAccount = { ...keyOf().account, id: ACCOUNT_ID, name: '<acme>', kind: 'serverless', role: 'member' }
const KEY: StoredKey = {
  id: 'key_1',
  account_id: ACCOUNT_ID,
  user: 'alice',
  kind: 'serverless',
  endpoints: [],
  label: '<label>',
  created_at: 1_763_700_000_000_000,
  revoked_at: null,
  disabled: false,
  disabled_by: undefined,
  last_used_at: undefined,
  previous_until: undefined,
}
const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}
const config = configOf(`${MODEL}\n`)
const ring = new KeyRing([
  ['one', keyOf({ name: '<acme>' }, { id: 'k-alice', user: 'alice', isStored: false })],
  ['two', keyOf({ name: '<acme>' }, { id: 'k-bob', user: 'bob', isStored: false })],
])

/** Calls of the store, in order. */
function deskOf(more: Partial<OwnKeys> = {}): { readonly asked: unknown[][]; readonly ownKeys: OwnKeys } {
  const asked: unknown[][] = []
  const ownKeys: OwnKeys = {
    ...noOwnKeys,
    accounts: async user => (user === 'alice' ? [ACCOUNT] : []),
    list: async user => (user === 'alice' ? [KEY] : []),
    create: async (...args) => {
      asked.push(args)
      return { id: 'key_2', secret: 'service_x', account: ACCOUNT }
    },
    change: async (...args) => Boolean(asked.push(args)),
    rotate: async (...args) => {
      asked.push(args)
      return { id: 'key_1', secret: 'service_y' }
    },
    revoke: async (...args) => Boolean(asked.push(args)),
    ...more,
  }
  return { asked, ownKeys }
}

type Name = 'console-keys' | 'console-key-create' | 'console-key' | 'console-key-change'
const TOKEN = `csrf_token=${formToken('good')}`

function ask(route: Name, form = '', { ownKeys } = deskOf(), cookie = 'service_session=good', key_id = 'key_1') {
  const services = { sessions, ownKeys, config, keys: ring, models: new ModelCatalog(config.models) }
  return visit(plugin, services, { route, form, cookie, params: { key_id } })
}

describe('console-keys', () => {
  it('shows only the keys of the user, of the store and of the configuration', async () => {
    const { status, page, headers } = await ask('console-keys')
    expect(status).equal(200)
    expect(page).contain('href="/console/keys/key_1"').and.contain('2025-11-21').and.contain('k-alice')
    expect(page)
      .contain(`href="/console/requests?account=${ACCOUNT_ID}&amp;key=k-alice&amp;since=30d"`)
      .and.contain(`href="/console?account=${ACCOUNT_ID}"`)
    expect(page).not.contain('k-bob').and.not.contain('<acme>').and.not.contain('<label>')
    expect(headers['content-security-policy']).contain("default-src 'none'")
  })

  it('requires a session', async () => {
    for (const route of ['console-keys', 'console-key', 'console-key-create', 'console-key-change'] as const) {
      for (const cookie of ['', 'service_session=old', 'other_session=good']) {
        const { status, page } = await ask(route, '', deskOf(), cookie)
        expect(status, route).equal(401)
        expect(page).contain('Not signed in').and.not.contain('key_')
      }
    }
  })

  it('links to the requests of a key, and to its alerts if the console has them', async () => {
    const { ownKeys } = deskOf()
    const services = { sessions, ownKeys, config, keys: ring, models: new ModelCatalog(config.models) }
    const request = { route: 'console-key', params: { key_id: 'key_1' } } as const
    const without = (await visit(plugin, services, request)).page
    expect(without).not.contain('/console/alerts')
    expect(without)
      .contain('Neither the plan of the account nor the key')
      .and.contain(`href="/console/requests?account=${ACCOUNT_ID}&amp;key=key_1&amp;since=30d"`)
      .and.contain(`href="/console?account=${ACCOUNT_ID}"`)
    const { page } = await visit(plugin, { ...services, ownAlerts: {} as never }, request)
    expect(page).contain('href="/console/alerts?subject=key:key_1"')
  })

  it('has no page for a key of others', async () => {
    const { status, page } = await ask('console-key', '', deskOf(), 'service_session=good', 'key_9')
    expect(status).equal(404)
    expect(page).contain('You have no such key')
  })

  it('has a page per key, with a form for each action', async () => {
    const { status, page } = await ask('console-key')
    expect(status).equal(200)
    const actions = [...page.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action)
    expect(actions).deep.equal(['change', 'rotate', 'disable', 'revoke'])
    expect(page.match(/name="csrf_token"/g)).length(5)
  })

  it('creates a key from the form, and shows its secret', async () => {
    const desk = deskOf()
    const form = `${TOKEN}&account=${ACCOUNT_ID}&nonce=n&label=ci&expires=2999-01-31&model=m`
    const { status, page } = await ask('console-key-create', form, desk)
    expect(status).equal(200)
    expect(page).contain('>service_x<').and.contain('authorization: Bearer service_x')
    const expires_at = Date.parse('2999-02-01T00:00:00Z') * 1000
    const key = { label: 'ci', expires_at, models: ['m'], account: ACCOUNT_ID, nonce: 'n' }
    expect(desk.asked).deep.equal([['alice', key]])
  })

  it('keeps the values of a refused form', async () => {
    const desk = deskOf()
    for (const [token, expected] of [
      ['csrf_token=stale', 403],
      [TOKEN, 422],
    ] as const) {
      const form = `${token}&account=${ACCOUNT_ID}&nonce=n1&label=My+label&expires=2001-01-01&model=m`
      const { status, page } = await ask('console-key-create', form, desk)
      expect(status).equal(expected)
      expect(page).contain('value="My label"').and.contain('value="n1"').and.contain('value="2001-01-01"')
      expect(page.includes('id="expires" name="expires" aria-invalid="true"')).equal(expected === 422)
      expect(page).contain(' checked').and.contain(TOKEN.slice('csrf_token='.length))
    }
    expect(desk.asked).deep.equal([])
  })

  it('reports why a key was not created', async () => {
    for (const [why, status] of [
      ['unknown', 404],
      ['models', 422],
      ['repeated', 409],
      ['too_many', 409],
    ] as const) {
      const answer = await ask('console-key-create', `${TOKEN}&nonce=n1`, deskOf({ create: async () => why }))
      expect(answer.status, why).equal(status)
      expect(answer.page).contain('role="status"').and.not.contain('Your new key')
      // Sent again, it creates another key.
      expect(answer.page.includes('value="n1"'), why).equal(why !== 'repeated')
    }
  })

  it('keeps the values of a refused change', async () => {
    const form = `${TOKEN}&action=change&label=New+label&expires=2001-01-01&model=m`
    const { status, page } = await ask('console-key-change', form, deskOf())
    expect(status).equal(422)
    expect(page).contain('value="New label"').and.contain('value="2001-01-01"').and.contain('value="m" checked')
    expect(page).contain('<small class="problem" id="expires-problem">The last day must not be in the past.</small>')
  })

  it('runs the actions of the forms of a key, and redirects', async () => {
    const desk = deskOf()
    for (const [action, place] of [
      ['disable', '/console/keys/key_1?done=disabled'],
      ['enable', '/console/keys/key_1?done=enabled'],
      ['revoke&confirmed=yes', '/console/keys?revoked=%3Clabel%3E+%28key_1%29'],
      ['change&label=new', '/console/keys/key_1?done=changed'],
    ] as const) {
      const { status, headers } = await ask('console-key-change', `${TOKEN}&action=${action}`, desk)
      expect(status, action).equal(303)
      expect(headers.location).equal(place)
    }
    expect(desk.asked).deep.equal([
      ['alice', 'key_1', { disabled: true }],
      ['alice', 'key_1', { disabled: false }],
      ['alice', 'key_1'],
      ['alice', 'key_1', { label: 'new', expires_at: null, models: null }],
    ])
  })

  it('says who has disabled a key, and does not offer to enable it after the operator', async () => {
    for (const [disabled_by, state, mayEnable] of [
      ['operator', 'disabled by the operator', false],
      ['user', '>disabled<', true],
      ['group', '>disabled<', true],
    ] as const) {
      const desk = deskOf({ list: async () => [{ ...KEY, disabled: true, disabled_by }], change: async () => false })
      const { status, page } = await ask('console-key-change', `${TOKEN}&action=enable`, desk)
      expect(status).equal(409)
      expect(page).contain(state).and.contain('Nothing was changed.')
      expect(page.includes('value="enable"'), disabled_by).equal(mayEnable)
      expect(page.includes('only the operator can enable it'), disabled_by).equal(!mayEnable)
    }
  })

  it('asks before an action that cannot be undone, with the fields of its form', async () => {
    const desk = deskOf()
    for (const form of ['action=revoke', 'action=rotate&grace=0&previous=12']) {
      const { status, page } = await ask('console-key-change', `${TOKEN}&${form}`, desk)
      expect(status).equal(200)
      expect(page).contain('key &lt;label&gt; (key_1)?').and.contain('You cannot undo this')
      const fields = Array.from(page.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name, value]) => `${name}=${value}`)
      expect(fields.join('&')).contain(`${TOKEN}&${form}&confirmed=yes`)
    }
    expect(desk.asked).deep.equal([])
  })

  it('names the key in the note after an action, with a button that undoes it', async () => {
    const noted = async (route: Name, query: string) => {
      const services = {
        sessions,
        ownKeys: deskOf().ownKeys,
        config,
        keys: ring,
        models: new ModelCatalog(config.models),
      }
      return (await visit(plugin, services, { route, query, params: { key_id: 'key_1' } })).page
    }
    expect(await noted('console-key', 'done=disabled'))
      .contain('Key &lt;label&gt; (key_1) is disabled')
      .and.match(/value="enable"><button>Undo</)
    expect(await noted('console-key', 'done=enabled')).match(/value="disable"><button>Undo</)
    expect(await noted('console-key', 'done=changed')).contain('Key &lt;label&gt; (key_1) is changed.')
    expect(await noted('console-key', 'done=else')).not.contain('role="status"')
    expect(await noted('console-keys', 'revoked=%3Cci%3E')).contain('Key &lt;ci&gt; is revoked')
  })

  it('rotates, and shows the new secret once', async () => {
    const desk = deskOf()
    const { page } = await ask('console-key-change', `${TOKEN}&action=rotate&grace=3600&previous=12`, desk)
    expect(page).contain('>service_y<')
    await ask('console-key-change', `${TOKEN}&action=rotate&grace=99999999&previous=&confirmed=yes`, desk)
    expect(desk.asked).deep.equal([
      ['alice', 'key_1', 3600, 12],
      ['alice', 'key_1', 0, undefined],
    ])
    const again = await ask(
      'console-key-change',
      `${TOKEN}&action=rotate&confirmed=yes`,
      deskOf({ rotate: async () => undefined }),
    )
    expect(again.status).equal(409)
  })

  it('refuses a form of another session or without an action', async () => {
    const desk = deskOf()
    expect(await ask('console-key-change', `csrf_token=x&action=revoke`, desk)).property('status', 403)
    expect((await ask('console-key-change', `${TOKEN}&action=explode`, desk)).error).include({ code: 'http_400' })
    expect((await ask('console-key-change', TOKEN, desk)).error).include({ code: 'http_400' })
    expect(desk.asked).deep.equal([])
  })
})
