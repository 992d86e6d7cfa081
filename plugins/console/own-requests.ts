/** Requests that a visitor may see. */
import { isManager } from '../../lib/console.ts'
import type { JsonObject, Services } from '../../lib/plugin.ts'
import type { Visitor } from './visitor.ts'

interface OwnRequest {
  readonly request: JsonObject
  /** The members of a query that lists it. */
  readonly scope: Readonly<Record<string, string>>
}

/**
 * The request with this id in any account of the visitor; of other members only if the visitor manages the account.
 * `id` undefined: it is malformed.
 */
export async function ownRequest(
  { ownKeys, reports }: Pick<Services, 'ownKeys' | 'reports'>,
  { user }: Pick<Visitor, 'user'>,
  id: string | undefined,
): Promise<OwnRequest | undefined> {
  if (id === undefined) return undefined
  for (const { id: account, role } of await ownKeys.accounts(user)) {
    const owner = isManager(role) ? { account } : { account, user }
    const request = await reports.accountRequest(owner, id)
    if (request === undefined) continue
    return { request, scope: { account, ...(request.user_id !== user && { who: 'team' }) } }
  }
  return undefined
}
