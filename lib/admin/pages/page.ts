/** What every page of operators is made with: its routes, what it is given, and what it answers. */
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../base/json.ts'
import type { Config } from '../../config/config.ts'
import { labelOf } from '../../oidc/issuer.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Page, pageOf, type Shell } from '../../pages/shell.ts'
import { OIDC_PATH, SIGN_IN_PATH, tokenField, type Visitor } from './visitor.ts'

/** Path below which style sheets and scripts are. */
export const ASSET_PATH = '/assets'

const SHELL: Shell = {
  audience: 'operators',
  name: 'Operators',
  assetPath: ASSET_PATH,
  links: [
    ['/', 'Now'],
    ['/requests', 'Requests'],
    ['/accounts', 'Accounts'],
    ['/chain', 'Chain'],
    ['/audit', 'Audit'],
  ],
}

/** A request for a page, by an operator who is signed in. */
export interface Visit {
  readonly visitor: Visitor
  /** Values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty but for an action. */
  readonly form: URLSearchParams
  readonly config: Config
  /** Microseconds since the epoch. */
  readonly now: number
  /** Why an action was refused; null: none was. */
  readonly problem: string | null
  /** Calls a route of the operators' API by its name. */
  call(name: string, input?: CallInput): Promise<JsonObject>
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: JsonObject
  readonly idempotencyKey?: string | undefined
}

/** What a page answers: a page, the path of another one, or a response of its own. */
export type Reply = PageReply | { readonly to: string } | { readonly send: (res: ServerResponse) => void }

export interface PageReply extends Omit<Page, 'visitor'> {
  /** Default: 200. */
  readonly status?: number
}

/** The reply to a sign-in or a sign-out. */
export interface Entered {
  readonly reply: Reply
  readonly headers: Readonly<Record<string, string>>
}

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** `{name}` stands for one segment. */
  readonly path: string
  /** Path of the page that is shown again where an action is refused. */
  readonly back?: string
  handle(visit: Visit): Promise<Reply>
}

/** The whole page. `visitor` undefined: there is no session. */
export function render(page: Omit<Page, 'visitor'>, visitor?: Visitor): string {
  if (visitor === undefined) return pageOf(SHELL, { ...page, path: null })
  const out = html`${visitor.operator.name} <form method="post" action="/sign-out">${tokenField(visitor)}<button>Sign out</button></form>`
  return pageOf(SHELL, { ...page, visitor: out })
}

/** What an action that was refused says; nothing where none was. */
export function problemNote({ problem }: Pick<Visit, 'problem'>): Html | null {
  return problem === null ? null : html`<p class="note bad" role="alert">Nothing was changed. ${problem}</p>`
}

/** A form whose button does something. `fields` are HTML. */
export function actionForm(
  visit: Pick<Visit, 'visitor'>,
  action: string,
  button: Html | string,
  fields: Html | null = null,
): Html {
  return html`<form method="post" action="${action}">${tokenField(visit.visitor)}${fields}<button>${button}</button></form>`
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
<p><label for="key">Key of an operator</label>
<input id="key" name="key" type="password" autocomplete="off" required></p>
<button>Sign in</button>
</form>
<p><code>sluiceway keys create --config FILE --operator NAME</code> makes a key;
<code>sluiceway login --config FILE --operator NAME</code> prints a link that opens these pages once.</p>`,
  }
}

/** A redirect would arrive without the cookie, where another site or program has led the browser here. */
export function signedInPage(note: string): PageReply {
  const body = html`<meta http-equiv="refresh" content="0;url=/">
<p>This browser is signed in: <a href="/">to the pages</a>. ${note}</p>`
  return { title: 'Signed in', path: null, body }
}
