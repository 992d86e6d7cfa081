import { randomUUID } from 'node:crypto'
import {
  type AlertSubject,
  emptyState,
  type Html,
  html,
  htmlBadge,
  htmlField,
  htmlTable,
  keyName,
  MAX_ALERTS,
  moneyHtml,
  nameHtml,
  type OwnAlert,
  type Refusal,
  timeHtml,
} from '../../../lib/console.ts'
import { copied } from '../first-call.ts'
import { ALERTS } from '../page.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { KINDS } from './fields.ts'

interface AlertListPage {
  readonly visitor: Visitor
  readonly subjects: readonly AlertSubject[]
  /** The list has its alerts alone. undefined: all. */
  readonly subject: AlertSubject | undefined
  readonly alerts: readonly OwnAlert[]
  readonly currency: string
  /** Values of a form that was not accepted; empty: none was sent. */
  readonly sent: URLSearchParams
  readonly refusal: Refusal | null
}

const EMPTY =
  'An alert that you create below appears here. It sends an event to a URL of yours, once, when a budget is used or a balance is low.'

export function alertListPage(page: AlertListPage): Html {
  const { subjects, subject, alerts } = page
  if (subjects.length === 0)
    return emptyState(
      'Nothing to watch',
      html`Alerts watch your <a href="/console/keys">keys</a>, and accounts of which you are owner or admin.`,
    )
  const shown = alerts.filter(one => subject === undefined || one.subject.name === subject.name)
  return html`${
    subject !== undefined &&
    html`<p>Alerts of ${subjectText(subject, hasSeveral(subjects))}. <a href="${ALERTS}">All alerts</a></p>`
  }
${shown.length === 0 ? emptyState('No alerts yet', EMPTY) : alertTable(page, shown)}
${createForm(page)}`
}

function alertTable({ visitor, subjects, currency }: AlertListPage, alerts: readonly OwnAlert[]): Html {
  const rows = alerts.map(alert => [
    html`<a href="${ALERTS}?${new URLSearchParams({ subject: alert.subject.name }).toString()}">${nameHtml(subjectText(alert.subject, hasSeveral(subjects)))}</a>`,
    conditionText(alert, currency),
    html`<span title="${alert.url}">${nameHtml(URL.parse(alert.url)?.host ?? alert.url)}</span>`,
    alert.isCrossed ? htmlBadge('crossed', 'warn') : htmlBadge('watching'),
    timeOf(alert.eventAt),
    deliveryText(alert),
    html`<form class="row" method="post" action="${ALERTS}/${alert.id}">${tokenField(visitor)}<button name="action" value="test">Send a test event</button><button name="action" value="delete" class="danger">Delete</button></form>`,
  ])
  const details = alerts.map(({ problem, nextAt }) => {
    if (problem === null) return null
    return html`${problem} ${nextAt === null ? 'It is not repeated.' : html`Next attempt: ${timeOf(nextAt)}`}`
  })
  const heads = ['Watches', 'When', 'Receiver', 'State', 'Last event', 'Last delivery', 'Actions']
  return htmlTable('Your alerts', heads, rows, { details })
}

function deliveryText({ attemptAt, problem, nextAt }: OwnAlert): Html | string {
  if (attemptAt === null) return nextAt === null ? 'none yet' : 'being sent'
  return html`${problem === null ? 'delivered' : html`<span class="error">failed</span>`} ${timeOf(attemptAt)}`
}

/** `micros`: microseconds since the epoch. */
function timeOf(micros: number | null): Html | string {
  return micros === null ? 'never' : timeHtml(new Date(micros / 1000).toISOString())
}

/** `80 % of the budget is used` */
export function conditionText({ kind, threshold }: Pick<OwnAlert, 'kind' | 'threshold'>, currency: string): Html {
  if (kind === 'budget_used') return html`${Number((threshold * 100).toPrecision(12))} % of the budget is used`
  return html`the balance is below ${moneyHtml(threshold, currency)}`
}

/** `key ci (key_1)` or `account acme`. `withAccount`: a key also names its account. */
export function subjectText({ account, key }: AlertSubject, withAccount: boolean): string {
  if (key === null) return `account ${account.name}`
  return `key ${keyName(key)}${withAccount ? ` of ${account.name}` : ''}`
}

/** Whether the subjects are of several accounts. */
function hasSeveral(subjects: readonly AlertSubject[]): boolean {
  return new Set(subjects.map(({ account }) => account.id)).size > 1
}

function createForm({ visitor, subjects, subject, currency, sent, refusal }: AlertListPage): Html {
  const field = (name: string, label: string, control: (own: Html) => Html) =>
    htmlField({ name, label }, refusal, control)
  const chosen = sent.get('subject') ?? subject?.name
  const subjectOptions = subjects.map(one => {
    const lacks = one.budgets.length === 0 ? ': no budget' : ''
    return html`<option value="${one.name}"${one.name === chosen && html` selected`}>${subjectText(one, hasSeveral(subjects))}${lacks}</option>`
  })
  const kindOptions = KINDS.map(
    ([name, text]) =>
      html`<option value="${name}"${name === sent.get('kind') && html` selected`}>${text(currency)}</option>`,
  )
  return html`<h2>New alert</h2>
<form method="post" action="${ALERTS}">${tokenField(visitor)}<input type="hidden" name="nonce" value="${sent.get('nonce') ?? randomUUID()}">
<div class="fields">
${field('subject', 'Watches', own => html`<select${own}>${subjectOptions}</select>`)}
${field('kind', 'Sent when', own => html`<select${own}>${kindOptions}</select>`)}
${field('value', `Percent, or ${currency}`, own => html`<input${own} type="number" min="0" step="any" size="8" required value="${sent.get('value') ?? ''}">`)}
${field('url', 'URL of the receiver', own => html`<input${own} type="url" size="40" required placeholder="https://example.com/alerts" value="${sent.get('url') ?? ''}">`)}
<button class="main">Create alert</button>
</div>
</form>
<p class="soft">Each event is a signed POST to the URL, which must be on the public internet. A key or account has at most ${MAX_ALERTS} alerts. An alert sends one event until the budget's window ends or the balance has risen, and at most one an hour.</p>`
}

/** `hasDocs`: the gateway serves its documentation. */
export function createdPage({ secret }: { readonly secret: string }, hasDocs: boolean): Html {
  return html`<p>Copy the secret of the alert now: it is not shown again. With it, your receiver checks that an event is from this gateway.</p>
${copied('the secret', secret)}
<p>Events are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, whose libraries verify them${hasDocs && html` (<a href="/docs/webhooks">how</a>)`}.</p>
<p><a href="${ALERTS}">All alerts</a></p>`
}
