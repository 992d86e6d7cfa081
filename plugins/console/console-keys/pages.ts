import { escapeHtml, type IssuedKey, type Key, type OwnAccount } from '../../../lib/plugin.ts'
import { htmlTable } from '../page.ts'
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
): string {
  const list =
    keys.length === 0
      ? '<p>You have no keys yet.</p>'
      : htmlTable(
          'Your keys',
          ['Key', 'Account', 'Kind', 'Created', 'Revoke'],
          keys.map(key => row(visitor, key)),
        )
  return [note === null ? '' : `<p role="status">${escapeHtml(note)}</p>`, list, createForm(visitor, accounts)].join(
    '\n',
  )
}

function row(visitor: Visitor, { id, account, kind, created }: ShownKey): string[] {
  const shown = escapeHtml(id)
  const cells = [`<code>${shown}</code>`, escapeHtml(account), kind]
  if (created === null) return [...cells, 'in the configuration', 'by the operator']
  return [
    ...cells,
    new Date(created / 1000).toISOString().slice(0, 10),
    `<form method="post" action="/console/keys/revoke">${tokenField(visitor)}<button name="key" value="${shown}" aria-label="Revoke ${shown}">Revoke</button></form>`,
  ]
}

function createForm(visitor: Visitor, accounts: readonly OwnAccount[]): string {
  if (accounts.length === 0) return '<p>Keys of your accounts are created by their operator.</p>'
  const options = accounts.map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`)
  return `<h2>New serverless key</h2>
<form method="post" action="/console/keys">${tokenField(visitor)}
<label for="account">Account</label>
<select id="account" name="account">${options.join('')}</select>
<button>Create key</button>
</form>`
}

/** `lines`: HTML. */
export function issuedPage({ id, secret, account }: IssuedKey, lines: string): string {
  return `<p>Key <code>${escapeHtml(id)}</code> of ${escapeHtml(account.name)}. Copy its secret now: it is not kept, and not shown again.</p>
<pre tabindex="0"><code>${escapeHtml(secret)}</code></pre>
<p>It works within seconds.</p>
${lines}
<p><a href="/console/keys">To your keys</a></p>`
}
