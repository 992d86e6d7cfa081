/** The frame of the pages of an account: its tabs, and the heading of each. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTabs } from '../../pages/parts.ts'
import { type PageReply, type PageRequest, problemNote } from './page.ts'
import { textOf } from './text.ts'

/** Path of the first tab. The path of each other tab is below it. */
export const ACCOUNT = '/accounts/{id}'

const TABS = {
  Overview: '',
  'Over time': '/history',
  Keys: '/keys',
  Credit: '/credits',
  Limits: '/limits',
  Members: '/members',
  Audit: '/audit',
} as const

type Tab = keyof typeof TABS

/** The tabs of an account that was erased. */
const ERASED: readonly Tab[] = ['Overview', 'Over time', 'Credit', 'Audit']

export function tabPath(id: unknown, tab: Tab): string {
  return `/accounts/${String(id)}${TABS[tab]}`
}

/** The tab Keys with this key alone. */
export function keyPath(account: unknown, key: string): string {
  return `${tabPath(account, 'Keys')}?only=${encodeURIComponent(key)}`
}

/** The page of a tab. `note`: what the action in the query has done. */
export function accountTab(
  request: PageRequest,
  account: JsonObject,
  tab: Tab,
  { note = null, body, script }: { readonly note?: Html | null; readonly body: Html; readonly script?: string },
): PageReply {
  const names = (Object.keys(TABS) as Tab[]).filter(name => !isErased(account) || ERASED.includes(name))
  const tabs = names.map(name => [name, tabPath(account.id, name)] as const)
  return {
    title: textOf(account.name),
    part: tab,
    path: '/accounts',
    ...(script !== undefined && { script }),
    body: html`<p><a href="/accounts">All accounts</a></p>
${htmlTabs('Account', tabs, tab)}
${problemNote(request)}${note}
<h2 class="hidden">${tab}</h2>
${body}`,
  }
}

export function isErased({ erased_at: at }: JsonObject): boolean {
  return typeof at === 'string'
}

/** Where to change an account of the file; null: it can be changed here. */
export function fileNote({ config }: PageRequest, { id, source }: JsonObject): Html | null {
  if (source !== 'file') return null
  const at = config.accounts.findIndex(account => account.id === id)
  return html`<p>This account is <code>accounts[${at}]</code> of the configuration file: change it there, and the gateway loads it again. Its keys and credit can be changed here.</p>`
}
