/** The pages of keys as replies. */
import { mayCreateKeys } from '../../../lib/console.ts'
import type { HeadersPhase, Services } from '../../../lib/plugin.ts'
import { modelsOf } from '../models.ts'
import { type OwnPage, replyPage, withNote } from '../page.ts'
import type { Visitor } from '../visitor.ts'
import { keyPage } from './key-page.ts'
import { keyListPage } from './list-page.ts'

export const PATH = '/console/keys'

/** A request with a session. */
export interface Scene {
  readonly services: Services
  readonly exchange: HeadersPhase
  readonly visitor: Visitor
}

export function reply({ exchange, visitor }: Scene, page: Omit<OwnPage, 'path'>, status = 200): void {
  replyPage(exchange, visitor, { ...page, path: PATH }, status)
}

/** `sent`: a form that was not accepted, so that its fields keep their values. */
export async function replyList(
  scene: Scene,
  status: number,
  note: string | null,
  sent = new URLSearchParams(),
): Promise<void> {
  const { services, visitor } = scene
  const { ownKeys, keys: ring, clock } = services
  const [keys, accounts] = await Promise.all([ownKeys.list(visitor.user), ownKeys.accounts(visitor.user)])
  const configured = ring.ofUser(visitor.user).filter(({ isStored }) => !isStored)
  const models = modelsOf(services, accounts.filter(mayCreateKeys))
  const body = keyListPage({ visitor, keys, configured, accounts, models, now: clock.now() * 1000, sent })
  reply(scene, { title: 'Keys', body: withNote(note, body, status) }, status)
}

/** The key that the path names, or the list where the user has no such key. */
export async function replyKey(scene: Scene, status: number, note: string | null): Promise<void> {
  const { services, visitor, exchange } = scene
  const { ownKeys, clock } = services
  const key = (await ownKeys.list(visitor.user)).find(({ id }) => id === exchange.params.key_id)
  if (key === undefined) return replyList(scene, 404, 'You have no such key, or it is revoked already.')
  const account = (await ownKeys.accounts(visitor.user)).find(({ id }) => id === key.account_id)
  const models = account === undefined ? [] : modelsOf(services, [account])
  const body = keyPage({ visitor, key, account, models, now: clock.now() * 1000 })
  reply(scene, { title: key.label ?? key.id, body: withNote(note, body, status) }, status)
}
