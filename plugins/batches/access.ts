/** Who may have batches, and what every route of them refuses. */
import { type Batches, type BatchesConfig, fileOwner } from '../../lib/console.ts'
import { type Config, fail, type HeadersPhase } from '../../lib/plugin.ts'
import { key, zdr } from '../slots.ts'

export type Exchange = HeadersPhase<typeof key, never, typeof zdr>

const KEPT = 'A batch cannot be created where zero data retention is required: its requests and results would be kept.'

/** What the plugins of batches need of the services. */
interface Host {
  readonly config: Config
  readonly batches: Batches | null
}

/** The batches of the gateway, and the owner of those of this key. Refuses a key that can own none. */
export function batchesOf(
  exchange: Exchange,
  { batches }: Host,
): { readonly batches: Batches; readonly owner: string } {
  const owner = fileOwner(exchange.get(key)) ?? fail('files_require_user_key', {})
  if (batches === null) fail('http_404', { problem: 'This gateway has no batches.' })
  return { batches, owner }
}

/** Refuses a new batch: its requests and results are stored, and the plan may have none. */
export function refuseNewBatch(exchange: Exchange, { config }: Host): void {
  if ((exchange.find(zdr) ?? null) !== null) fail('file_id_not_allowed_with_zdr', {}, { message: KEPT })
  const { plan } = exchange.get(key).account
  if (plan !== undefined && config.plans?.[plan]?.batches === null)
    fail('http_403', { problem: 'The plan of this account has no batches.' })
}

/** The limits of batches. The routes exist only with them. */
export function batchLimits({ config }: Host): BatchesConfig {
  return config.batches!
}

/** The error for a batch of another owner, too, so that it reveals nothing. */
export function unknownBatch(): never {
  fail('http_404', { problem: 'There is no such batch.' })
}
