import {
  type BodyPhase,
  budgetsOf,
  isObject,
  type Json,
  type Services,
  windowAt,
  withoutDecoding,
} from '../../../lib/plugin.ts'
import type { RequestLimits } from '../request-limits.ts'

type Settings = NonNullable<RequestLimits['end_user']>
type Exchange = Pick<BodyPhase, 'route' | 'headers' | 'body'>

/** The end user of a request, as counters and records name it. */
export interface EndUser {
  /** 16 hex digits, `none` or `other`. */
  readonly id: string
  /** The name as the client sent it; null: it must not be kept. */
  readonly label: string | null
}

/** Bytes of a name. A request with a longer one has no end user. */
const MAX_BYTES = 256
/** End users of an account that are counted one by one in a window. */
const MAX_END_USERS = 100_000
const MINUTE_MS = 60_000

export const NONE: EndUser = { id: 'none', label: null }

/** Finds the end users of requests, and limits their number per account. */
export class EndUserNames {
  readonly #services: Pick<Services, 'keyedHash' | 'clock'>
  /** Hashes in the current window, by account. */
  readonly #known = new Map<string, { readonly until: number; readonly ids: Set<string> }>()

  constructor(services: Pick<Services, 'keyedHash' | 'clock'>) {
    this.#services = services
  }

  /** `zdr`: the name must not be kept. */
  of(exchange: Exchange, account: string, settings: Settings, zdr: boolean): EndUser {
    const name = nameIn(exchange, settings)
    if (name === undefined) return NONE
    const id = this.#services.keyedHash(account, name)
    if (!this.#isCounted(account, id, settings)) return { id: 'other', label: null }
    return { id, label: settings.label === true && !zdr ? name : null }
  }

  #isCounted(account: string, id: string, settings: Settings): boolean {
    const now = this.#services.clock.now()
    let known = this.#known.get(account)
    if (known === undefined || known.until <= now) {
      const longest = Math.max(MINUTE_MS, ...budgetsOf(settings).map(({ windowMs }) => windowMs))
      known = { until: windowAt(now, longest).to, ids: new Set() }
      this.#known.set(account, known)
    }
    if (known.ids.size < MAX_END_USERS) known.ids.add(id)
    return known.ids.has(id)
  }
}

function nameIn({ route, headers, body }: Exchange, { from, header }: Settings): string | undefined {
  // A text that is not decoded reads as its start and a placeholder, which is longer than a name.
  const name = from === 'header' ? headers[header?.toLowerCase() ?? ''] : withoutDecoding(() => memberOf(route, body))
  if (typeof name !== 'string' || name === '' || Buffer.byteLength(name) > MAX_BYTES) return undefined
  return name
}

function memberOf({ format }: Exchange['route'], body: Exchange['body']): Json | undefined {
  if (format === 'messages') return isObject(body.metadata) ? body.metadata.user_id : undefined
  return format === 'responses' ? (body.safety_identifier ?? body.user) : body.user
}
