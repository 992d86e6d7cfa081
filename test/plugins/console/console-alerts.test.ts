import { expect } from 'chai'
import type { AlertSubject, OwnAlert, OwnAlerts } from '../../../lib/console.ts'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-alerts/index.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { visit } from '../../support/visit.ts'
import { formToken, ownAccount, sessions } from '../../support/visitors.ts'

const config = configOf(`console: { alerts: true }\ncurrency: EUR\n${MODEL}\n`)
const account = ownAccount({ name: '<acme>', creditsCents: 500 })
const OF_ACCOUNT: AlertSubject = { name: `account:${ACCOUNT_ID}`, account, key: null, budgets: [] }
const OF_KEY: AlertSubject = {
  ...{ name: 'key:key_1', account, key: { id: 'key_1', label: '<ci>' } },
  budgets: [{ amount: 20, window: '1d', windowMs: 86_400_000 }],
}
const ALERT: OwnAlert = {
  ...{ id: 'alert_1', subject: OF_KEY, kind: 'budget_used', threshold: 0.07, url: 'https://hooks.test/<path>' },
  ...{ isCrossed: true, eventAt: 1_763_700_000_000_000, attemptAt: 1_763_700_001_000_000, problem: null, nextAt: null },
}
const FAILED: OwnAlert = {
  ...ALERT,
  ...{ id: 'alert_2', subject: OF_ACCOUNT, kind: 'balance_below_cents', threshold: 1050, isCrossed: false },
  ...{ problem: 'The connection was <refused>.', nextAt: 4_102_444_800_000_000 },
}

/** Calls of the store, in order. */
function alertsWith(more: Partial<OwnAlerts> = {}): { readonly asked: unknown[][]; readonly ownAlerts: OwnAlerts } {
  const asked: unknown[][] = []
  const ownAlerts: OwnAlerts = {
    list: async user =>
      user === 'alice' ? { subjects: [OF_ACCOUNT, OF_KEY], alerts: [ALERT, FAILED] } : { subjects: [], alerts: [] },
    create: async (...args) => {
      asked.push(args)
      return { id: 'alert_3', secret: 'whsec_new' }
    },
    remove: async (...args) => Boolean(asked.push(args)),
    test: async (...args) => {
      asked.push(args)
      return 'raised'
    },
    ...more,
  }
  return { asked, ownAlerts }
}

type Name = 'console-alerts' | 'console-alert-create' | 'console-alert-change'
const TOKEN = `csrf_token=${formToken('good')}`

function ask(
  route: Name,
  { form = '', query = '', cookie = 'service_session=good', alert_id = 'alert_1' } = {},
  { ownAlerts } = alertsWith(),
) {
  return visit(plugin, { sessions, ownAlerts, config }, { route, form, query, cookie, params: { alert_id } })
}

const NEW = 'subject=key%3Akey_1&kind=budget_used&value=80&url=https%3A%2F%2Fhooks.test&nonce=n'

describe('console-alerts', () => {
  it('requires a session', async () => {
    for (const route of ['console-alerts', 'console-alert-create', 'console-alert-change'] as const) {
      for (const cookie of ['', 'service_session=old']) {
        const { status, page } = await ask(route, { cookie })
        expect(status, route).equal(401)
        expect(page).contain('Not signed in').and.not.contain('alert_')
      }
    }
    const { reply } = await play(plugin, { route: 'console-alerts', services: { sessions, config, ...alertsWith() } })
    expect(reply?.status).equal(401)
  })

  it('answers nothing without alerts in the configuration', async () => {
    expect((await play(plugin, { route: 'console-alerts', services: { sessions, config } })).reply).equal(null)
  })

  it('lists alerts with their state, and the problem of the last delivery in words', async () => {
    const { status, page } = await ask('console-alerts')
    expect(status).equal(200)
    expect(page).contain('7 % of the budget is used').and.contain('crossed').and.contain('watching')
    expect(page).contain('href="/console/alerts?subject=key%3Akey_1">')
    expect(page).contain('10.50').and.contain('hooks.test').and.contain('delivered').and.contain('failed')
    expect(page).contain('The connection was &lt;refused&gt;.').and.contain('Next attempt:')
    expect(page).not.contain('<acme>').and.not.contain('<ci>').and.not.contain('<path>')
    expect(page).contain('>Alerts</a>')
  })

  it('shows the alerts of one key or account', async () => {
    const { page } = await ask('console-alerts', { query: 'subject=key%3Akey_1' })
    expect(page).contain('alerts/alert_1').and.not.contain('alerts/alert_2')
    expect(page).contain('<option value="key:key_1" selected>')
    expect((await ask('console-alerts', { query: 'subject=key%3Aother' })).page).contain('alerts/alert_2')
  })

  it('says what can be watched if there is nothing', async () => {
    const { page } = await ask('console-alerts', { cookie: 'service_session=member' })
    expect(page).contain('Nothing to watch').and.not.contain('New alert')
  })

  it('shows the secret once, on the page that answers the form', async () => {
    const { asked, ownAlerts } = alertsWith()
    const { status, page } = await ask('console-alert-create', { form: `${TOKEN}&${NEW}` }, { asked, ownAlerts })
    expect(status).equal(200)
    expect(page).contain('whsec_new')
    expect(asked).deep.equal([
      ['alice', { subject: 'key:key_1', kind: 'budget_used', threshold: 0.8, url: 'https://hooks.test', nonce: 'n' }],
    ])
  })

  it('says what to do if an alert cannot be created, and keeps the entered values', async () => {
    const refused: readonly (readonly [Awaited<ReturnType<OwnAlerts['create']>>, number, string, string?])[] = [
      ['unknown', 404, 'You cannot set alerts on that key or account.', 'subject'],
      ['too_many', 409, 'This key has 5 alerts: delete one first.'],
      ['repeated', 409, 'has created its alert already'],
      ['no_budget', 422, 'This key has no budget of its own', 'kind'],
      ['not_prepaid', 422, 'choose its account', 'kind'],
      [{ problem: 'The host of the URL has no public address.' }, 422, 'has no public address', 'url'],
    ]
    for (const [created, expected, note, field] of refused) {
      const answers = alertsWith({ create: async () => created })
      const { status, page } = await ask('console-alert-create', { form: `${TOKEN}&${NEW}` }, answers)
      expect(status, note).equal(expected)
      expect(page).contain(note).and.contain('value="https://hooks.test"').and.contain('value="80"')
      if (field === undefined) expect(page).not.contain('aria-invalid')
      else expect(page).contain(`name="${field}" aria-invalid="true"`).and.contain(`id="${field}-problem"`)
      // Sent again, it creates another alert.
      expect(page.includes('name="nonce" value="n"'), note).equal(created !== 'repeated')
    }
    const ofAccount = NEW.replace('key%3Akey_1', `account%3A${ACCOUNT_ID}`)
    for (const [created, note] of [
      ['no_budget', 'The plan of this account has no budget'],
      ['not_prepaid', 'This account is not prepaid'],
      ['too_many', 'This account has 5 alerts'],
    ] as const) {
      const answers = alertsWith({ create: async () => created })
      expect((await ask('console-alert-create', { form: `${TOKEN}&${ofAccount}` }, answers)).page).contain(note)
    }
    const { status, page } = await ask('console-alert-create', { form: `${TOKEN}&${NEW.replace('80', '800')}` })
    expect(status).equal(422)
    expect(page).contain('The percentage must be')
  })

  it('changes nothing without the token of the session', async () => {
    const { asked, ownAlerts } = alertsWith()
    for (const [route, form] of [
      ['console-alert-create', NEW],
      ['console-alert-change', 'action=delete&confirmed=yes'],
      ['console-alert-change', 'csrf_token=other&action=test'],
    ] as const)
      expect((await ask(route, { form }, { asked, ownAlerts })).status).equal(403)
    expect(asked).deep.equal([])
  })

  it('asks before it deletes an alert', async () => {
    const { asked, ownAlerts } = alertsWith()
    const first = await ask('console-alert-change', { form: `${TOKEN}&action=delete` }, { asked, ownAlerts })
    expect(first.page).contain('Delete the alert?').and.contain('name="confirmed"')
    expect(asked).deep.equal([])
    const form = `${TOKEN}&action=delete&confirmed=yes`
    const { status, headers } = await ask('console-alert-change', { form }, { asked, ownAlerts })
    expect([status, headers.location]).deep.equal([303, '/console/alerts?deleted'])
    expect(asked).deep.equal([['alice', 'alert_1']])
    expect((await ask('console-alerts', { query: 'deleted' })).page).contain('The alert is deleted.')
    expect((await ask('console-alert-change', { form, alert_id: 'alert_9' })).status).equal(404)
  })

  it('sends a test event, and loads again until its result is known', async () => {
    const { asked, ownAlerts } = alertsWith()
    const form = `${TOKEN}&action=test`
    const { status, headers } = await ask('console-alert-change', { form }, { asked, ownAlerts })
    expect([status, headers.location]).deep.equal([303, '/console/alerts?tested=alert_1'])
    expect(asked).deep.equal([['alice', 'alert_1']])
    const sending = alertsWith({
      list: async () => ({ subjects: [OF_KEY], alerts: [{ ...ALERT, nextAt: 1 }] }),
    })
    const pending = await ask('console-alerts', { query: 'tested=alert_1' }, sending)
    expect(pending.headers.refresh).equal('2')
    expect(pending.page).contain('The test event is being sent.')
    const done = await ask('console-alerts', { query: 'tested=alert_1' })
    expect(done.headers.refresh).equal(undefined)
    expect(done.page).contain('The receiver has accepted the test event.')
    // Another event of the alert waits for its repetition.
    const failed = await ask('console-alerts', { query: 'tested=alert_2' })
    expect(failed.headers.refresh).equal(undefined)
    expect(failed.page).contain('The test event was not delivered.')
    for (const [result, expected] of [
      ['too_soon', 409],
      ['full', 503],
      ['unknown', 404],
    ] as const) {
      const answers = alertsWith({ test: async () => result })
      expect((await ask('console-alert-change', { form }, answers)).status).equal(expected)
    }
    expect((await ask('console-alert-change', { form: `${TOKEN}&action=other` })).error?.code).equal('http_400')
  })
})
