/** The view of a page: usage and requests of one account, of the visitor alone or of all members. */
import { type Html, html, isManager, type OwnAccount } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'
import type { Visitor } from './visitor.ts'

export interface View {
  /** Every account of the visitor. */
  readonly accounts: readonly OwnAccount[]
  readonly account: OwnAccount
  /** True: all members are shown, which only owners and admins may request. */
  readonly isTeam: boolean
}

/** Why there is no view. */
type NoView = 'You belong to no account yet.' | 'You have no such account.' | 'You may see only your own there.'

/** The view of a query: `account` is an id, `who` is `team`, `me` or absent, which is `me`. */
export async function viewOf(
  { ownKeys }: Pick<Services, 'ownKeys'>,
  { user }: Visitor,
  query: URLSearchParams,
): Promise<View | NoView> {
  const accounts = await ownKeys.accounts(user)
  const [first] = accounts
  if (first === undefined) return 'You belong to no account yet.'
  const id = query.get('account')
  const account = id === null ? first : accounts.find(one => one.id === id)
  if (account === undefined) return 'You have no such account.'
  const isTeam = query.get('who') === 'team'
  if (isTeam && !isManager(account.role)) return 'You may see only your own there.'
  return { accounts, account, isTeam }
}

/** The list of requests of an account with these filters; those without a value have no effect. */
export function requestsHref(filters: Readonly<Record<string, string | false>> & { readonly account: string }): string {
  const known = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== false)
  return `/console/requests?${new URLSearchParams(known).toString()}`
}

/** The fields of a form that select a view; empty if there is only one. */
export function viewFields({ accounts, account, isTeam }: View): Html {
  return html`${
    accounts.length > 1 &&
    selectField(
      'account',
      'Account',
      accounts.map(({ id, name }) => [id, name]),
      account.id,
    )
  }
${
  isManager(account.role) &&
  selectField(
    'who',
    'Whose',
    [
      ['me', 'Mine'],
      ['team', 'Every member'],
    ],
    isTeam ? 'team' : 'me',
  )
}`
}

export function selectField(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html {
  const shown = options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${shown}</select></div>`
}
