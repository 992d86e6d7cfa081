/** Parts of every page of operators: its route, request and reply, its frame, and HTML that several pages share. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../base/json.ts'
import type { Config } from '../../config/config.ts'
import { labelOf } from '../../oidc/issuer.ts'
import { CONFIRMED, confirmForm } from '../../pages/actions.ts'
import type { Refusal } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlStats } from '../../pages/parts.ts'
import { type Page, pageOf, type Shell, type Site } from '../../pages/shell.ts'
import type { FormFields } from './form.ts'
import { BACKENDS_PATH, COSTS_PATH } from './paths.ts'
import { OIDC_PATH, SIGN_IN_PATH, tokenField, type Visitor } from './visitor.ts'

export const ASSET_PATH = '/assets'

export const BATCHES_PATH = '/batches'

export const FIND_PATH = '/find'

const SHELL: Shell = {
  audience: 'operators',
  name: 'Operators',
  assetPath: ASSET_PATH,
  findPath: FIND_PATH,
  links: [
    ['/', 'Overview', 'Traffic'],
    ['/requests', 'Requests'],
    ['/usage', 'Usage'],
    ['/accounts', 'Accounts', 'Customers'],
    [COSTS_PATH, 'Costs'],
    ['/models', 'Models', 'Serving'],
    [BACKENDS_PATH, 'Backends'],
    [BATCHES_PATH, 'Batches'],
    ['/chain', 'Chain'],
    ['/audit', 'Audit', 'Records'],
  ],
}

export interface PageRequest {
  readonly visitor: Visitor
  /** Values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body of a POST; empty for a GET. */
  readonly form: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly config: Config
  /** Microseconds since the epoch. */
  readonly now: number
  /** Why the action was refused whose form is shown again; null: no action was refused. */
  readonly problem: Refusal | null
  /** Why the filters in the query were refused, so that there is no list; null: they were not refused. */
  readonly filterProblem: Refusal | null
  /** Calls a route of the operators' API by its name. */
  call(name: string, input?: CallInput): Promise<JsonObject>
  /** Calls a route of the operators' API, and replies with its list or report as a CSV file. */
  csv(name: string, input?: CallInput): Promise<Reply>
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: JsonObject
  readonly idempotencyKey?: string | undefined
}

/** A page, a redirect to a path, or a function that sends the response. */
export type Reply =
  | PageReply
  | { readonly to: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly send: (res: ServerResponse) => void }

export interface PageReply extends Omit<Page, 'visitor'> {
  readonly status?: number
}

/** The reply to a sign-in or a sign-out. */
export interface SignInReply {
  readonly reply: Reply
  readonly headers: Readonly<Record<string, string>>
}

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** `{name}` matches one segment. */
  readonly path: string
  /** Path of the page with the form of this action. It is shown again if the action is refused. */
  readonly back?: string
  /** The fields of the form whose values the action, or the list of a GET, may refuse. */
  readonly fields?: FormFields
  handle(request: PageRequest): Promise<Reply>
}

/** The whole page. `visitor` undefined: there is no session. */
export function render(page: Omit<Page, 'visitor'>, site: Site, visitor?: Visitor): string {
  if (visitor === undefined) return pageOf(SHELL, { ...page, site, path: null })
  const signOut = html`<span>${visitor.operator.name}</span> <form method="post" action="/sign-out">${tokenField(visitor)}<button>Sign out</button></form>`
  return pageOf({ ...SHELL, links: linksOf(visitor) }, { ...page, site, visitor: signOut })
}

/** The navigation of a visitor. */
export function linksOf({ hasBatches }: Visitor): Shell['links'] {
  return SHELL.links.filter(([path]) => path !== BATCHES_PATH || hasBatches === true)
}

export function problemNote({ problem }: PageRequest): Html | null {
  return problem === null ? null : html`<p class="note bad" role="alert">Nothing was changed. ${problem.text}</p>`
}

/** Why there is no list. */
export function filterNote({ filterProblem: problem }: PageRequest): Html | null {
  return problem === null ? null : html`<p class="note bad" role="alert">${problem.text}</p>`
}

/** The question before an action whose form has no answer to it. undefined: the form has one. */
export function question(
  { form }: Pick<PageRequest, 'form'>,
  { title, path, ...rest }: Pick<Page, 'title' | 'path'> & Omit<Parameters<typeof confirmForm>[0], 'form'>,
): PageReply | undefined {
  return form.has(CONFIRMED) ? undefined : { title, path, body: confirmForm({ ...rest, form }) }
}

export function htmlCards(cards: readonly (readonly [name: string, value: Html | string])[]): Html {
  return htmlStats(cards.map(([name, value]) => ({ name, value })))
}

/** A link to the next page of a list; null on the last page, which has no cursor. */
export function nextLink(path: string, query: URLSearchParams, cursor: Json | undefined, label: string): Html | null {
  if (typeof cursor !== 'string') return null
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  return html`<p><a class="button" rel="next" href="${path}?${next.toString()}">${label}</a></p>`
}

/** What is below a list: buttons that lead to its next page and to a CSV file. */
export function listEnd(...buttons: readonly (Html | null | false)[]): Html {
  return html`<div class="row">${buttons}</div>`
}

/** A link to a CSV file. `query`: that of the page, whose filters the file has too. */
export function csvLink(path: string, query?: URLSearchParams): Html {
  const filters = new URLSearchParams(query)
  filters.delete('cursor')
  return html`<p><a class="button" href="${path}${filters.size > 0 && `?${filters.toString()}`}" download>CSV</a></p>`
}

export function signInPage(problem: string | null, { admin }: Pick<Config, 'admin'>): PageReply {
  const oidc = admin?.oidc
  return {
    title: 'Sign in',
    path: null,
    status: problem === null ? 200 : 401,
    body: html`${problem !== null && html`<p class="note bad" role="alert">${problem}</p>`}
${oidc !== undefined && html`<p><a class="button" href="${OIDC_PATH}">${labelOf(oidc)}</a></p>`}
<form method="post" action="${SIGN_IN_PATH}">
<p class="field"><label for="key">Key of an operator</label><input id="key" name="key" type="password" autocomplete="off" required></p>
<button class="main">Sign in</button>
</form>
<dl class="soft">
<dt>A new key</dt><dd>${commandHtml('keys create')}</dd>
<dt>A link that signs in once, without a key</dt><dd>${commandHtml('login')}</dd></dl>`,
  }
}

/** A command for an operator, which wraps only between its options. */
function commandHtml(command: string): Html {
  const parts = [`sluiceway ${command}`, '--config FILE', '--operator NAME']
  return html`<code>${parts.map((part, at) => html`${at > 0 && ' '}<span class="whole">${part}</span>`)}</code>`
}

/** A page, not a redirect: after a cross-site navigation, a redirect would not carry the SameSite=Strict cookie. */
export function signedInPage(note: string): PageReply {
  const body = html`<meta http-equiv="refresh" content="0;url=/">
<p>This browser is signed in: <a href="/">to the pages</a>. ${note}</p>`
  return { title: 'Signed in', path: null, body }
}
