import { type Html, html, htmlTable, type IssuedKey, type Key, type OwnAccount } from '../../../lib/plugin.ts'
import { tokenField, type Visitor } from '../visitor.ts'

export interface ShownKey {
  readonly id: string
  readonly kind: Key['kind']
  /** Name of its account. */
  readonly account: string
  /** Microseconds since the epoch; null: a key of the configuration, which only its operator can revoke. */
  readonly created: number | null
}

/** `note`: what a form has done; null: nothing was sent. */
export function keysPage(
  visitor: Visitor,
  keys: readonly ShownKey[],
  accounts: readonly OwnAccount[],
  note: string | null,
): Html {
  const list =
    keys.length === 0
      ? html`<p>You have no keys yet.</p>`
      : htmlTable(
          'Your keys',
          ['Key', 'Account', 'Kind', 'Created', 'Revoke'],
          keys.map(key => row(visitor, key)),
        )
  return html`${note !== null && html`<p class="note" role="status">${note}</p>`}
${list}
${createForm(visitor, accounts)}`
}

function row(visitor: Visitor, { id, account, kind, created }: ShownKey): (Html | string)[] {
  const cells = [html`<code>${id}</code>`, account, kind]
  if (created === null) return [...cells, 'in the configuration', 'by the operator']
  return [
    ...cells,
    new Date(created / 1000).toISOString().slice(0, 10),
    html`<form method="post" action="/console/keys/revoke">${tokenField(visitor)}<button name="key" value="${id}" aria-label="Revoke ${id}">Revoke</button></form>`,
  ]
}

function createForm(visitor: Visitor, accounts: readonly OwnAccount[]): Html {
  if (accounts.length === 0) return html`<p>Keys of your accounts are created by their operator.</p>`
  const options = accounts.map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  return html`<h2>New serverless key</h2>
<form method="post" action="/console/keys">${tokenField(visitor)}
<label for="account">Account</label>
<select id="account" name="account">${options}</select>
<button class="main">Create key</button>
</form>`
}

/** `lines`: for a first call; null: there is no model to call. */
export function issuedPage({ id, secret, account }: IssuedKey, lines: Html | null): Html {
  return html`<p>Key <code>${id}</code> of ${account.name}. Copy its secret now: it is not kept, and not shown again.</p>
<pre tabindex="0"><code data-copy="the secret">${secret}</code></pre>
<p>It works within seconds.</p>
${lines}
<p><a href="/console/keys">To your keys</a></p>`
}
