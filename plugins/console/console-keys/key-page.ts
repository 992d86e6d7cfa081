import {
  type Html,
  html,
  type IssuedKey,
  idHtml,
  type OwnAccount,
  type Refusal,
  type StoredKey,
  timeHtml,
} from '../../../lib/console.ts'
import { copied } from '../first-call.ts'
import { ALERTS } from '../page.ts'
import { requestsHref } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { dayOf, lastDayOf } from './fields.ts'
import { type KeyLimit, limitsTable } from './key-limits.ts'
import { labelField, lastDayField, modelFields, stateOf, usedText } from './list-page.ts'

interface KeyPage {
  readonly visitor: Visitor
  readonly key: StoredKey
  /** undefined: the user has left the account. */
  readonly account: OwnAccount | undefined
  readonly limits: readonly KeyLimit[]
  readonly currency: string
  /** Ids of the models of the account. */
  readonly models: readonly string[]
  /** Microseconds since the epoch. */
  readonly now: number
  /** Values of a form that changes the key and was not accepted; undefined: none was sent. */
  readonly sent: URLSearchParams | undefined
  readonly refusal: Refusal | null
}

/** How long the present secret works after a rotation: seconds, and a text. */
export const GRACES = [
  [0, 'ends at once'],
  [3600, 'works for another hour'],
  [86_400, 'works for another day'],
  [604_800, 'works for another week'],
] as const

/** What holds for a disabled key, by who has disabled it. */
const DISABLED_BY = {
  operator: 'The operator has disabled this key: only the operator can enable it.',
  user: 'A disabled key is refused until it is enabled.',
  group: 'The key was disabled when you left the account. It is refused until you enable it.',
} as const

export function keyPage(page: KeyPage): Html {
  const { visitor, key, account, limits, currency, models, now, sent, refusal } = page
  const { id, kind, label = '', expires_at, previous_until: previous, created_at, last_used_at, disabled_by: by } = key
  const lastDay = expires_at === undefined ? '' : lastDayOf(expires_at)
  const options = GRACES.map(
    ([seconds, text]) => html`<option value="${seconds}"${seconds === 86_400 && html` selected`}>${text}</option>`,
  )
  const form = (action: string, fields: Html) =>
    html`<form method="post" action="/console/keys/${id}">${tokenField(visitor)}<input type="hidden" name="action" value="${action}">${fields}</form>`
  return html`<p><a href="/console/keys">All keys</a></p>
<dl class="cards">
<div class="card"><dt>Id</dt><dd class="fact">${idHtml(id)}</dd></div>
<div class="card"><dt>Account</dt><dd class="fact">${account === undefined ? key.account_id : html`<a href="/console?account=${account.id}">${account.name}</a>`}<small>${kind}</small></dd></div>
<div class="card"><dt>State</dt><dd class="fact">${stateOf(key, now)}<small>created ${dayOf(created_at)}</small></dd></div>
<div class="card"><dt>Last used</dt><dd class="fact">${usedText(last_used_at, now)}</dd></div>
${previous !== undefined && previous > now && html`<div class="card"><dt>Secret before</dt><dd class="fact">works until<small>${timeHtml(new Date(previous / 1000).toISOString())}</small></dd></div>`}
</dl>
<h2>Limits</h2>
${limitsTable(limits, currency)}
<p class="row"><a href="${requestsHref({ account: key.account_id, key: id, since: '30d' })}">Requests of this key</a>${visitor.hasAlerts === true && html`<a href="${ALERTS}?subject=key:${id}">Alerts of this key</a>`}</p>
<h2>Change</h2>
${form(
  'change',
  html`<div class="fields">${labelField(sent?.get('label') ?? label, refusal)}${lastDayField(sent?.get('expires') ?? lastDay, refusal, now)}</div>
${modelFields(models, sent?.getAll('model') ?? key.models ?? [])}
<p><button class="main">Save</button></p>`,
)}
<h2>New secret</h2>
<p>The key keeps its id, label and limits. The new secret is shown once.</p>
${form(
  'rotate',
  html`<input type="hidden" name="previous" value="${previous ?? ''}"><div class="fields"><div class="field"><label for="grace">The current secret</label><select id="grace" name="grace">${options}</select></div>
<button>Make a new secret</button></div>`,
)}
<h2>Stop</h2>
<div class="row">
${by !== 'operator' && form(by === undefined ? 'disable' : 'enable', html`<button>${by === undefined ? 'Disable' : 'Enable'}</button>`)}
${form('revoke', html`<button class="danger">Revoke</button>`)}
</div>
<p class="soft">${DISABLED_BY[by ?? 'user']} A revoked one never works again.</p>`
}

/** `examples`: code for a first call; null: there is no model to call. */
export function issuedPage({ id, secret }: Pick<IssuedKey, 'id' | 'secret'>, examples: Html | null): Html {
  return html`<p>Copy the secret of key <code>${id}</code> now: it is not kept, and not shown again.</p>
${copied('the secret', secret)}
${examples}
<p><a href="/console/keys">All keys</a></p>`
}
