/** Replies with the pages of keys. */
import { mayCreateKeys } from '../../../lib/console.ts'
import type { HeadersPhase, Services } from '../../../lib/plugin.ts'
import { modelsOf } from '../models.ts'
import { type OwnPage, replyPage, withNote } from '../page.ts'
import type { Visitor } from '../visitor.ts'
import { keyPage } from './key-page.ts'
import { keyListPage } from './list-page.ts'

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

/** `sent`: a form that was not accepted. Its fields keep their values. */
export async function replyList(
  context: PageContext,
  status: number,
  note: string | null,
  sent = new URLSearchParams(),
): Promise<void> {
  const { services, visitor } = context
  const { ownKeys, keys: ring, clock } = services
  const [keys, accounts] = await Promise.all([ownKeys.list(visitor.user), ownKeys.accounts(visitor.user)])
  const configured = ring.ofUser(visitor.user).filter(({ isStored }) => !isStored)
  const models = modelsOf(services, accounts.filter(mayCreateKeys))
  const body = keyListPage({ visitor, keys, configured, accounts, models, now: clock.now() * 1000, sent })
  reply(context, { title: 'Keys', body: withNote(note, body, status) }, status)
}

/** Replies with the page of the key in the path, or with the list if the user has no such key. */
export async function replyKey(context: PageContext, status: number, note: string | null): Promise<void> {
  const { services, visitor, exchange } = context
  const { ownKeys, clock } = services
  const key = (await ownKeys.list(visitor.user)).find(({ id }) => id === exchange.params.key_id)
  if (key === undefined) return replyList(context, 404, 'You have no such key, or it is revoked already.')
  const account = (await ownKeys.accounts(visitor.user)).find(({ id }) => id === key.account_id)
  const models = account === undefined ? [] : modelsOf(services, [account])
  const body = keyPage({ visitor, key, account, models, now: clock.now() * 1000 })
  reply(context, { title: key.label ?? key.id, body: withNote(note, body, status) }, status)
}
