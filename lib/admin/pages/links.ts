/** Links from names to their pages, or to the requests behind them. */
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, nameHtml } from '../../pages/parts.ts'
import { backendPath, modelHistoryPath } from './paths.ts'
import { requestsHref } from './text.ts'

export function modelLink(model: string): Html {
  return html`<a href="${modelHistoryPath(model)}">${model}</a>`
}

/** The name of an account, or its id if it has none. */
export function accountText(id: string, name: unknown): Html | string {
  return typeof name === 'string' ? nameHtml(name) : id
}

/** Links to models, with commas between them. */
export function modelLinks(models: readonly string[]): Html {
  return html`${models.map((model, at) => html`${at > 0 && ', '}${modelLink(model)}`)}`
}

export function backendLink(model: string, url: string): Html {
  return html`<a href="${backendPath(model, url)}">${addressHtml(url)}</a>`
}

/** The requests of a key or a user. With the account, an index finds them, or fewer are read. */
export function ownerHref(name: 'key' | 'user', value: string, account: unknown): string {
  return requestsHref({ ...(typeof account === 'string' && { account }), [name]: value })
}

/** Days in which links look for the requests of a session. */
export const SESSION_DAYS = 30

/** The requests of a session. With the account, an index finds them. */
export function sessionHref(session: string, account?: unknown): string {
  const since = String(SESSION_DAYS * 24)
  return requestsHref({ ...(typeof account === 'string' && { account }), session, since })
}

/** Entries of the audit log by the same actor. */
export function actorLink(actor: string): Html {
  return html`<a href="/audit?${new URLSearchParams({ actor }).toString()}">${actor}</a>`
}
