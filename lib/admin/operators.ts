/** Operators: their keys, their names in the audit log, and their addresses. */
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/sha256.ts'
import type { Config } from '../config/config.ts'
import { type ClientView, Proxies } from '../http/proxies.ts'
import type { Actor } from '../store/audit.ts'
import { createOperatorKey, findOperator, type OperatorKey, revokeOperatorKey } from '../store/operator-keys.ts'
import { OIDC_OPERATOR } from '../store/operator-sessions.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { type AdminContext, audited } from './context.ts'

const MAX_KEY_CHARACTERS = 199

/** The operator with this valid key. A text that cannot be such a key causes no query. */
export async function operatorOf(read: RunQuery, brand: string, secret: string): Promise<OperatorKey | undefined> {
  if (!secret.startsWith(`${brand}_operator_`) || secret.length > MAX_KEY_CHARACTERS) return undefined
  return read(session => findOperator(session, secret))
}

/** Bounds of what KnownOperators retains. */
const MAX_KNOWN = 100
const KNOWN_MS = 3_600_000

/** Operators whose keys the store has confirmed within the last hour. */
export class KnownOperators {
  readonly #clock: Pick<Clock, 'monotonic'>
  /** By the hash of the key. The oldest confirmation is the first. */
  readonly #confirmed = new Map<string, { readonly operator: OperatorKey; readonly at: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** As operatorOf(). If the store does not answer, a confirmed key is valid for what needs no store. */
  async find(read: RunQuery, brand: string, secret: string, needsStore: boolean): Promise<OperatorKey | undefined> {
    const hash = sha256(secret)
    try {
      const operator = await operatorOf(read, brand, secret)
      this.#confirmed.delete(hash)
      if (operator !== undefined) this.#confirm(hash, operator)
      return operator
    } catch (error) {
      const confirmed = needsStore ? undefined : this.#confirmed.get(hash)
      if (confirmed === undefined || this.#clock.monotonic() - confirmed.at > KNOWN_MS) throw error
      return confirmed.operator
    }
  }

  #confirm(hash: string, operator: OperatorKey): void {
    const [oldest] = this.#confirmed.keys()
    if (oldest !== undefined && this.#confirmed.size >= MAX_KNOWN) this.#confirmed.delete(oldest)
    this.#confirmed.set(hash, { operator, at: this.#clock.monotonic() })
  }
}

export function actorOf({ name, id }: Pick<OperatorKey, 'name' | 'id'>, address: string | null): Actor {
  return { name: `operator ${name} (${id})`, address }
}

/** An operator who signed in by an issuer, as shown in the audit log. */
export function oidcActor(name: string, address: string | null): Actor {
  return actorOf({ name, id: OIDC_OPERATOR }, address)
}

/** Creates a key of an operator. Only commands do this: the API gives nobody access to itself. `name`: the operator. */
export function issueOperatorKey(
  context: AdminContext,
  name: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  return audited(context, async session => {
    const created = await createOperatorKey(session, context.config.brand, name, context.now)
    return { change: { action: 'operator_key.create', target: created.id, after: { operator: name } }, result: created }
  })
}

/** Returns false if there is no such valid key. */
export function revokeOperatorKeyOf(context: AdminContext, id: string): Promise<boolean> {
  return audited(context, async session => {
    const operator = await revokeOperatorKey(session, id, context.now)
    const change = { action: 'operator_key.revoke', target: id, before: { operator: operator ?? null } }
    return { change: operator === undefined ? undefined : change, result: operator !== undefined }
  })
}

/** By the list of trusted networks, which is the same object while a process runs. */
const views = new WeakMap<readonly string[], ClientView>()

/** How the operators' port sees its clients: behind the proxies in `listen.trusted_proxies`, by their headers. */
export function clientOf({ listen: { trusted_proxies: trusted } }: Pick<Config, 'listen'>): ClientView {
  const known = views.get(trusted)
  if (known !== undefined) return known
  // The operators' port has no TLS.
  const view = new Proxies({ trusted, secure: false })
  views.set(trusted, view)
  return view
}
