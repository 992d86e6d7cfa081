import {
  type AlertSubject,
  CONFIRMED,
  confirmForm,
  doneNote,
  type Html,
  html,
  MAX_ALERTS,
  type NewOwnAlert,
  type OwnAlert,
  type OwnAlerts,
} from '../../../lib/console.ts'
import { definePlugin, fail, type HeadersPhase, type Services } from '../../../lib/plugin.ts'
import { readForm } from '../form.ts'
import { ALERTS, replyPage, replySeeOther, withNote } from '../page.ts'
import { isOwnForm, requireVisitor, STALE_FORM } from '../sign-in.ts'
import type { Visitor } from '../visitor.ts'
import { alertFieldsOf } from './fields.ts'
import { alertListPage, conditionText, createdPage, subjectText } from './list-page.ts'

/** Seconds after which the list loads again while a test event is being sent. */
const REFRESH_SECONDS = '2'

const UNKNOWN = 'You have no such alert, or it is deleted already.'

const NOT_TESTED = {
  unknown: [404, UNKNOWN],
  too_soon: [409, 'An alert sends one test event a minute. Nothing was sent: try again in a minute.'],
  full: [503, 'Too many events of this gateway wait to be sent, so it accepts no test now. Try again later.'],
} as const

/** A request with a session. */
interface Context {
  readonly services: Services
  readonly alerts: OwnAlerts
  readonly exchange: HeadersPhase
  readonly visitor: Visitor
}

export default definePlugin({
  name: 'console-alerts',
  summary: "The console's page of alerts: lists, creates, tests and deletes those of the user.",
  routes: { route: ['console-alerts', 'console-alert-create', 'console-alert-change'] },

  setup: (_options, services) => {
    const { ownAlerts: alerts } = services
    if (alerts === null) return {}
    return {
      async onHeaders(exchange) {
        const visitor = await requireVisitor(services, exchange)
        if (visitor === undefined) return
        const context = { services, alerts, exchange, visitor }
        if (exchange.route.name === 'console-alerts') return replyList(context, 200, null)
        const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
        if (!isOwnForm(visitor, form)) return replyList(context, 403, STALE_FORM, form)
        return exchange.route.name === 'console-alert-create' ? create(context, form) : act(context, form)
      },
    }
  },
})

function reply({ exchange, visitor }: Context, title: string, body: Html, status = 200, script?: string): void {
  replyPage(exchange, visitor, { title, body, path: ALERTS, ...(script !== undefined && { script }) }, status)
}

/**
 * `sent`: a form that was not accepted. Its fields keep their values, and `field` shows the note. `note` null: the
 * query says what was done.
 */
async function replyList(
  context: Context,
  status: number,
  note: string | null,
  sent = new URLSearchParams(),
  field: string | null = null,
): Promise<void> {
  const { services, alerts, exchange, visitor } = context
  const query = new URLSearchParams(exchange.query)
  const { subjects, alerts: all } = await alerts.list(visitor.user)
  const subject = subjects.find(({ name }) => name === query.get('subject'))
  const tested = all.find(({ id }) => id === query.get('tested'))
  const isSending = tested !== undefined && isDue(tested, services.clock.now() * 1000)
  if (isSending) exchange.setHeader('refresh', REFRESH_SECONDS)
  const refusal = note === null ? null : { field, text: note }
  const body = alertListPage({
    refusal,
    visitor,
    subjects,
    subject,
    alerts: all,
    currency: services.config.currency,
    sent,
  })
  reply(context, 'Alerts', withNote(note ?? doneOf(query, tested, isSending), body, status), status)
}

/** An event that waits for its repetition is due later. `now`: microseconds since the epoch. */
function isDue({ nextAt }: OwnAlert, now: number): boolean {
  return nextAt !== null && nextAt <= now
}

function doneOf(query: URLSearchParams, tested: OwnAlert | undefined, isSending: boolean): Html | null {
  if (query.has('deleted')) return doneNote('The alert is deleted. Events that waited are not sent.')
  if (tested === undefined) return null
  if (isSending) return doneNote('The test event is being sent. This page loads again.')
  return doneNote(
    tested.problem === null ? 'The receiver has accepted the test event.' : 'The test event was not delivered.',
  )
}

async function create(context: Context, form: URLSearchParams): Promise<void> {
  const { services, alerts, visitor } = context
  const fields = alertFieldsOf(form)
  if ('field' in fields) return replyList(context, 422, fields.text, form, fields.field)
  const created = await alerts.create(visitor.user, fields)
  if (typeof created === 'object' && 'secret' in created)
    return reply(context, 'Your new alert', createdPage(created, services.config.docs), 200, 'copy.js')
  // Sent again, the form creates another alert.
  if (created === 'repeated') form.delete('nonce')
  const [status, note, field] = refusalOf(created, fields)
  return replyList(context, status, note, form, field)
}

function refusalOf(
  problem: Exclude<Awaited<ReturnType<OwnAlerts['create']>>, { readonly secret: string }>,
  { subject }: NewOwnAlert,
): readonly [status: number, note: string, field?: string] {
  const isKey = subject.startsWith('key:')
  if (typeof problem === 'object') return [422, problem.problem, 'url']
  switch (problem) {
    case 'unknown':
      return [404, 'You cannot set alerts on that key or account.', 'subject']
    case 'too_many':
      return [409, `This ${isKey ? 'key' : 'account'} has ${MAX_ALERTS} alerts: delete one first.`]
    case 'repeated':
      return [
        409,
        'This form has created its alert already. Its secret was shown then. Send it again to create another.',
      ]
    case 'no_budget':
      return [422, isKey ? NO_BUDGET_OF_KEY : NO_BUDGET_OF_ACCOUNT, 'kind']
    case 'not_prepaid':
      return [422, isKey ? NO_BALANCE_OF_KEY : NO_BALANCE_OF_ACCOUNT, 'kind']
  }
}

const HOUR = 'with a window of at least an hour'
const NO_BUDGET_OF_KEY = `This key has no budget of its own ${HOUR}. Ask the operator of this gateway for one, or choose the account.`
const NO_BUDGET_OF_ACCOUNT = `The plan of this account has no budget ${HOUR}. Ask the operator of this gateway for one, or watch the balance.`
const NO_BALANCE_OF_KEY = 'A key has no balance of its own: choose its account.'
const NO_BALANCE_OF_ACCOUNT = 'This account is not prepaid, so it has no balance. Watch its budget.'

async function act(context: Context, form: URLSearchParams): Promise<void> {
  const { alerts, exchange, visitor } = context
  const id = exchange.params.alert_id!
  switch (form.get('action')) {
    case 'test': {
      const result = await alerts.test(visitor.user, id)
      if (result === 'raised') return replySeeOther(exchange, `${ALERTS}?tested=${id}`)
      const [status, note] = NOT_TESTED[result]
      return replyList(context, status, note)
    }
    case 'delete': {
      const alert = (await alerts.list(visitor.user)).alerts.find(one => one.id === id)
      if (alert === undefined) return replyList(context, 404, UNKNOWN)
      if (!form.has(CONFIRMED)) return replyQuestion(context, alert, form)
      await alerts.remove(visitor.user, id)
      return replySeeOther(exchange, `${ALERTS}?deleted`)
    }
    default:
      fail('http_400', { problem: "'action' names nothing that can be done to an alert." })
  }
}

function replyQuestion(context: Context, { id, subject, ...alert }: OwnAlert, form: URLSearchParams): void {
  const condition = conditionText(alert, context.services.config.currency)
  const text = html`No event is sent any more when ${condition} (${titleOf(subject)}). Its secret is lost.`
  const body = confirmForm({ text, action: `${ALERTS}/${id}`, button: 'Delete', cancel: ALERTS, form })
  reply(context, 'Delete the alert?', body)
}

function titleOf(subject: AlertSubject): string {
  return subjectText(subject, false)
}
