/** HTML pages of the console. */
import {
  type Column,
  HTML,
  type Html,
  html,
  PAGE_HEADERS,
  pageOf,
  type Shell,
  type Site,
  type Sorting,
  sortingOf,
} from '../../lib/console.ts'
import { fail } from '../../lib/plugin.ts'
import { tokenField, type Visitor } from './visitor.ts'

const BATCHES = '/console/batches'
export const ALERTS = '/console/alerts'

export const FIND_PATH = '/console/find'

const SHELL = {
  audience: 'console',
  name: 'Console',
  assetPath: '/console/assets',
  findPath: FIND_PATH,
  links: [
    ['/console', 'Overview', 'Account'],
    ['/console/usage', 'Usage'],
    ['/console/requests', 'Requests'],
    [BATCHES, 'Batches'],
    [ALERTS, 'Alerts'],
    ['/console/keys', 'Keys', 'Build'],
    ['/console/try', 'Try it'],
  ],
} as const satisfies Shell

/** Response headers of a file that belongs to one person. */
export const PERSONAL_FILE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** Path of a page in the navigation. */
type PagePath = (typeof SHELL.links)[number][0] | typeof FIND_PATH

/** The members of an exchange that send a page. */
export interface PageExchange {
  setHeader(name: string, value: string): void
  reply(status: number, body: string, contentType: string): void
}

export interface OwnPage {
  readonly title: string
  readonly body: Html
  /** '': no page of the navigation. */
  readonly path: PagePath | ''
  readonly script?: string
}

/** Sends a page to a visitor with a session. */
export function replyPage(exchange: PageExchange, visitor: Visitor, page: OwnPage, status = 200): void {
  const signOut = html`<span>${visitor.user}</span>
<form method="post" action="/console/logout">${tokenField(visitor)}<button>Sign out</button></form>`
  const shell: Shell = { ...SHELL, links: linksOf(visitor) }
  send(exchange, status, pageOf(shell, { ...page, site: visitor.site, visitor: signOut }))
}

/** The navigation of a visitor. */
export function linksOf({ hasBatches, hasAlerts }: Visitor): Shell['links'] {
  const absent = [...(hasBatches ? [] : [BATCHES]), ...(hasAlerts ? [] : [ALERTS])]
  return SHELL.links.filter(([path]) => !absent.includes(path))
}

/** Sends a page without navigation. */
export function replyBare(exchange: PageExchange, site: Site, status: number, title: string, body: Html): void {
  send(exchange, status, pageOf(SHELL, { title, body, site, path: null }))
}

/** Redirects to another page, so that reloading it does not send the form again. */
export function replySeeOther(exchange: PageExchange, path: string): void {
  exchange.setHeader('location', path)
  exchange.setHeader('cache-control', 'no-store')
  exchange.reply(303, '', HTML)
}

/** The sorting that the query of a page asks for. Refuses others with the names of the columns. */
export function requestedSorting(path: PagePath, query: URLSearchParams, columns: readonly Column<never>[]): Sorting {
  const sorting = sortingOf({ path, query, columns })
  return typeof sorting === 'string' ? fail('http_400', { problem: sorting }) : sorting
}

/** A page with a note above it; null: no note. */
export function withNote(note: string | Html | null, body: Html, status = 200): Html {
  if (note === null) return body
  if (typeof note === 'object') return html`${note}${body}`
  return html`<p class="${status < 400 ? 'note' : 'note bad'}" role="status">${note}</p>
${body}`
}

function send(exchange: PageExchange, status: number, page: string): void {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) exchange.setHeader(name, value)
  exchange.reply(status, page, HTML)
}
