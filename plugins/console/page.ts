/** HTML pages of the console. Times are UTC. */
import { HTML, type Html, html, PAGE_HEADERS, pageOf, type Shell } from '../../lib/plugin.ts'
import { tokenField, type Visitor } from './visitor.ts'

const SHELL = {
  audience: 'console',
  name: 'Console',
  assetPath: '/console/assets',
  links: [
    ['/console', 'Console'],
    ['/console/keys', 'Keys'],
  ],
} as const satisfies Shell

/** Path of a page that the navigation leads to. */
export type PagePath = (typeof SHELL.links)[number][0]

/** What a page for a visitor takes of an exchange. */
interface PageExchange {
  setHeader(name: string, value: string): void
  reply(status: number, body: string, contentType: string): void
}

export interface OwnPage {
  readonly title: string
  readonly body: Html
  readonly path: PagePath
  readonly script?: string
}

/** Sends a page to somebody who is signed in. */
export function replyPage(exchange: PageExchange, visitor: Visitor, page: OwnPage, status = 200): void {
  const signOut = html`<span>${visitor.user}</span>
<form method="post" action="/console/logout">${tokenField(visitor)}<button>Sign out</button></form>`
  send(exchange, status, pageOf(SHELL, { ...page, visitor: signOut }))
}

/** Sends a page without navigation. */
export function replyBare(exchange: PageExchange, status: number, title: string, body: Html): void {
  send(exchange, status, pageOf(SHELL, { title, body, path: null }))
}

function send(exchange: PageExchange, status: number, page: string): void {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) exchange.setHeader(name, value)
  exchange.reply(status, page, HTML)
}
