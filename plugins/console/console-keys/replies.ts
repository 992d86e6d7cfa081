/** Replies with the pages of keys. */
import {
  confirmForm,
  doneNote,
  type Html,
  html,
  keyName,
  mayCreateKeys,
  type Refusal,
  type StoredKey,
} from '../../../lib/console.ts'
import type { HeadersPhase, Services } from '../../../lib/plugin.ts'
import { modelsOf } from '../models.ts'
import { type OwnPage, replyPage, requestedSorting, withNote } from '../page.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { keyLimitsOf } from './key-limits.ts'
import { keyPage } from './key-page.ts'
import { keyColumns, keyListPage } from './list-page.ts'

export const PATH = '/console/keys'

/** A request with a session. */
export interface PageContext {
  readonly services: Services
  readonly exchange: HeadersPhase
  readonly visitor: Visitor
}

export function reply({ exchange, visitor }: PageContext, page: Omit<OwnPage, 'path'>, status = 200): void {
  replyPage(exchange, visitor, { ...page, path: PATH }, status)
}

/** What a page says above its content. A refusal is also next to its field. */
type Note = string | Html | Refusal | null

function partsOf(note: Note): { readonly refusal: Refusal | null; readonly text: string | Html | null } {
  const isRefusal = note !== null && typeof note === 'object' && 'field' in note
  return isRefusal ? { refusal: note, text: note.text } : { refusal: null, text: note }
}

/** `sent`: a form that was not accepted. Its fields keep their values. */
export async function replyList(
  context: PageContext,
  status: number,
  note: Note,
  sent = new URLSearchParams(),
): Promise<void> {
  const { services, visitor } = context
  const { ownKeys, keys: ring, clock } = services
  const [keys, accounts] = await Promise.all([ownKeys.list(visitor.user), ownKeys.accounts(visitor.user)])
  const configured = ring.ofUser(visitor.user).filter(({ isStored }) => !isStored)
  const models = modelsOf(services, accounts.filter(mayCreateKeys))
  const now = clock.now() * 1000
  const sorting = requestedSorting(PATH, new URLSearchParams(context.exchange.query), keyColumns(now))
  const { refusal, text } = partsOf(note)
  const body = keyListPage({ visitor, keys, configured, accounts, models, now, sent, refusal, sorting })
  reply(context, { title: 'Keys', body: withNote(text, body, status) }, status)
}

/** The key in the path; undefined: the user has no such key. */
export async function ownKey({ services, visitor, exchange }: PageContext): Promise<StoredKey | undefined> {
  return (await services.ownKeys.list(visitor.user)).find(({ id }) => id === exchange.params.key_id)
}

/**
 * Replies with the page of the key in the path, or with the list if the user has no such key. `note` null: the page
 * says what the action in the query has done. `sent`: a form that was not accepted.
 */
export async function replyKey(
  context: PageContext,
  status: number,
  note: string | Refusal | null,
  sent?: URLSearchParams,
): Promise<void> {
  const { services, visitor, exchange } = context
  const { ownKeys, clock } = services
  const key = await ownKey(context)
  if (key === undefined) return replyList(context, 404, 'You have no such key, or it is revoked already.')
  const account = (await ownKeys.accounts(visitor.user)).find(({ id }) => id === key.account_id)
  const models = account === undefined ? [] : modelsOf(services, [account])
  const limits = await keyLimitsOf(services, key, account)
  const { currency } = services.config
  const now = clock.now() * 1000
  const { refusal, text } = partsOf(note)
  const body = keyPage({ visitor, key, account, limits, currency, models, now, sent, refusal })
  const shown = text ?? keyNote(visitor, key, new URLSearchParams(exchange.query).get('done'))
  reply(context, { title: `Key ${key.label ?? key.id}`, body: withNote(shown, body, status) }, status)
}

/** The question before an action that cannot be undone. */
export interface Question {
  /** Words before the name of the key in the title. */
  readonly asks: string
  readonly button: string
  readonly text: string
}

export function replyQuestion(
  context: PageContext,
  key: StoredKey,
  form: URLSearchParams,
  { asks, button, text }: Question,
): void {
  const action = `${PATH}/${key.id}`
  const body = confirmForm({ text, action, button, cancel: action, form })
  reply(context, { title: `${asks} ${keyName(key)}?`, body })
}

function keyNote(visitor: Visitor, key: StoredKey, done: string | null): Html | null {
  const name = keyName(key)
  switch (done) {
    case 'changed':
      return doneNote(`Key ${name} is changed.`)
    case 'disabled':
      return doneNote(`Key ${name} is disabled: it is refused until it is enabled.`, undoForm(visitor, key, 'enable'))
    case 'enabled':
      return doneNote(`Key ${name} is enabled.`, undoForm(visitor, key, 'disable'))
    default:
      return null
  }
}

function undoForm(visitor: Visitor, { id }: StoredKey, action: string): Html {
  return html`<form method="post" action="${PATH}/${id}">${tokenField(visitor)}<input type="hidden" name="action" value="${action}"><button>Undo</button></form>`
}

/** Note on the list, which has no revoked keys. */
export function revokedNote(query: string): Html | null {
  const name = new URLSearchParams(query).get('revoked')
  return name === null ? null : doneNote(`Key ${name} is revoked: it never works again.`)
}
