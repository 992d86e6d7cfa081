import { randomUUID } from 'node:crypto'
import {
  type Column,
  columnTable,
  emptyState,
  type Html,
  html,
  htmlField,
  mayCreateKeys,
  nameHtml,
  type OwnAccount,
  type Refusal,
  type Sorting,
  type StoredKey,
  timeHtml,
} from '../../../lib/console.ts'
import type { Key } from '../../../lib/plugin.ts'
import { requestsHref } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { dayOf, lastDayOf, MAX_LABEL_LENGTH } from './fields.ts'

interface KeyListPage {
  readonly visitor: Visitor
  readonly keys: readonly StoredKey[]
  /** Keys of the configuration, which users cannot change. */
  readonly configured: readonly Pick<Key, 'id' | 'kind' | 'account'>[]
  readonly accounts: readonly OwnAccount[]
  /** Ids of the models that any of the accounts may use. */
  readonly models: readonly string[]
  /** Microseconds since the epoch. */
  readonly now: number
  /** Values of a form that was not accepted; empty: none was sent. */
  readonly sent: URLSearchParams
  readonly refusal: Refusal | null
  readonly sorting: Sorting
}

export function keyListPage(page: KeyListPage): Html {
  const { keys, configured, accounts, now, sorting } = page
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  const rows: readonly KeyRow[] = [
    ...configured.map(({ id, kind, account }) => ({
      ...{ id, kind, accountId: account.id, account: account.name, key: undefined },
    })),
    ...keys.map(key => ({
      ...{ id: key.id, kind: key.kind, accountId: key.account_id, key },
      account: names.get(key.account_id),
    })),
  ]
  return html`${rows.length === 0 ? emptyState('No keys yet', accounts.some(mayCreateKeys) ? CREATE : ASK) : columnTable('Your keys', keyColumns(now), rows, { sorting })}
${createForm(page)}`
}

const CREATE = 'A key that you create below appears here. Its secret is shown once.'
const ASK = 'The operator of this gateway creates keys for you. They appear here.'

interface KeyRow {
  readonly id: string
  readonly kind: string
  readonly accountId: string
  /** Name of the account; undefined: the user has left it. */
  readonly account: string | undefined
  /** undefined: the key is in the configuration. */
  readonly key: StoredKey | undefined
}

/** Columns of the table. `now`: microseconds since the epoch. */
export function keyColumns(now: number): readonly Column<KeyRow>[] {
  const nameOf = ({ id, key }: KeyRow) => key?.label ?? id
  const stateText = ({ key }: KeyRow) =>
    key === undefined ? html`<span class="good">active</span>` : stateOf(key, now)
  return [
    {
      ...{ name: 'key', head: 'Key', value: nameOf },
      cell: row =>
        row.key === undefined
          ? html`<a href="${requestsHref({ account: row.accountId, key: row.id, since: '30d' })}"><code class="whole">${row.id}</code></a>`
          : html`<a href="/console/keys/${row.id}">${nameHtml(nameOf(row))}</a>`,
    },
    { name: 'state', head: 'State', cell: stateText, value: row => stateText(row).toString() },
    {
      name: 'account',
      head: 'Account',
      cell: accountCell,
      value: ({ account, accountId }) => account ?? accountId,
    },
    { name: 'kind', head: 'Kind', cell: ({ kind }) => kind, value: ({ kind }) => kind },
    {
      ...{ name: 'created', head: 'Created', value: ({ key }: KeyRow) => key?.created_at ?? null },
      cell: ({ key }) => (key === undefined ? 'in the configuration' : dayHtml(dayOf(key.created_at))),
    },
    {
      ...{ name: 'expires', head: 'Last day', value: ({ key }: KeyRow) => key?.expires_at ?? null },
      cell: ({ key }) =>
        key === undefined ? '–' : key.expires_at === undefined ? 'never' : dayHtml(lastDayOf(key.expires_at)),
    },
    {
      ...{ name: 'last_used', head: 'Last used', value: ({ key }: KeyRow) => key?.last_used_at ?? null },
      cell: ({ key }) => (key === undefined ? '–' : usedText(key.last_used_at, now)),
    },
  ]
}

function accountCell({ account, accountId: id }: KeyRow): Html | string {
  return account === undefined ? nameHtml(id) : html`<a href="/console?account=${id}">${nameHtml(account)}</a>`
}

/** A day in a cell, on one line. */
function dayHtml(day: string): Html {
  return html`<span class="whole">${day}</span>`
}

/** State of a key, as a word. */
export function stateOf({ disabled_by: by, expires_at = Number.POSITIVE_INFINITY }: StoredKey, now: number): Html {
  if (expires_at <= now) return html`<span class="error">expired</span>`
  if (by === undefined) return html`<span class="good">active</span>`
  return html`<span class="warn">${by === 'operator' ? 'disabled by the operator' : 'disabled'}</span>`
}

/** Time of the last use, which is recorded about once a minute. */
export function usedText(used: number | undefined, now: number): Html | string {
  if (used === undefined) return 'never'
  return now - used < 120_000_000 ? 'just now' : timeHtml(new Date(used / 1000).toISOString())
}

function createForm({ visitor, accounts, models, sent, refusal, now }: KeyListPage): Html {
  const own = accounts.filter(mayCreateKeys)
  if (own.length === 0) return html``
  const options = own.map(
    ({ id, name }) => html`<option value="${id}"${sent.get('account') === id && html` selected`}>${name}</option>`,
  )
  return html`<h2>New key</h2>
<form method="post" action="/console/keys">${tokenField(visitor)}<input type="hidden" name="nonce" value="${sent.get('nonce') ?? randomUUID()}">
<div class="fields">
${htmlField({ name: 'account', label: 'Account' }, refusal, own => html`<select${own}>${options}</select>`)}
${labelField(sent.get('label') ?? '', refusal)}
${lastDayField(sent.get('expires') ?? '', refusal, now)}
</div>
${modelFields(models, sent.getAll('model'))}
<p><button class="main">Create key</button></p>
</form>`
}

export function labelField(value: string, refusal: Refusal | null): Html {
  const label = html`Label <small>(optional)</small>`
  return htmlField(
    { name: 'label', label },
    refusal,
    own => html`<input${own} size="30" maxlength="${MAX_LABEL_LENGTH}" autocomplete="off" value="${value}">`,
  )
}

export function lastDayField(value: string, refusal: Refusal | null, now: number): Html {
  const label = html`Last day, UTC <small>(optional)</small>`
  return htmlField(
    { name: 'expires', label },
    refusal,
    own => html`<input${own} type="date" min="${dayOf(now)}" value="${value}">`,
  )
}

/** Checkboxes for models. If none is checked, the key may use all of them. */
export function modelFields(models: readonly string[], checked: readonly string[]): Html {
  const boxes = models.map(
    id =>
      html`<label class="check"><input type="checkbox" name="model" value="${id}"${checked.includes(id) && html` checked`}>${id}</label>`,
  )
  return html`<fieldset><legend>Models <small class="soft">(none checked: all of the account)</small></legend>${boxes}</fieldset>`
}
