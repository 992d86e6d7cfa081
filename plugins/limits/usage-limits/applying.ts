import { type Key, scopeName } from '../../../lib/plugin.ts'
import type { ApplyingLimits, RequestLimits } from '../request-limits.ts'
import { type EndUser, NONE } from './end-user.ts'

type Block = NonNullable<RequestLimits['models']>[string]

/** Limits that a request must pass, and the requests that they count. */
export interface AppliedLimits extends Partial<{ readonly [N in keyof Block]: Block[N] | undefined }> {
  /** undefined: all requests of the account. */
  readonly scope: string | undefined
  /** The limited requests, in messages: `of this account`. */
  readonly of: string
  /** `error.param` of a refusal. */
  readonly param?: 'user'
}

/** The end user of a request by the limits of the plan and of the key. */
export interface EndUsers {
  readonly plan: EndUser | undefined
  readonly key: EndUser | undefined
}

/** The limits of plan and key, each with those of the model and of the end user. */
export function limitsOfRequest(limits: ApplyingLimits, caller: Key, model: string, users: EndUsers): AppliedLimits[] {
  return [
    ...blocksOf(limits.plan, undefined, 'the plan of this account', model, users.plan),
    ...blocksOf(limits.key, caller.id, 'this key', model, users.key),
  ]
}

/** The spend limits of plan and key, which are the only limits of a line of a batch. */
export function budgetsOfLine(limits: ApplyingLimits, caller: Key, model: string): AppliedLimits[] {
  const applying = limitsOfRequest(limits, caller, model, { plan: undefined, key: undefined })
  return applying.flatMap(({ budget_cents, scope, of }) =>
    budget_cents === undefined ? [] : [{ budget_cents, scope, of }],
  )
}

/** `key`: id of the key that the limits belong to; undefined: they are those of the account. */
function* blocksOf(
  limits: RequestLimits | undefined,
  key: string | undefined,
  owner: string,
  model: string,
  user: EndUser | undefined,
): Generator<AppliedLimits> {
  if (limits === undefined) return
  // The plugins rate-limit and concurrency have checked the others before the body was read.
  const { tokens_per_minute, budget_cents, models, end_user } = limits
  if (tokens_per_minute !== undefined || budget_cents !== undefined)
    yield { tokens_per_minute, budget_cents, scope: key, of: owner }
  const own = models !== undefined && Object.hasOwn(models, model) ? models[model] : undefined
  if (own !== undefined) yield { ...own, scope: scopeName({ key, model }), of: `${owner} for model '${model}'` }
  if (end_user === undefined || user === undefined) return
  const of = user.id === NONE.id ? 'clients that name no end user' : 'this end user'
  yield { ...end_user, scope: scopeName({ key, endUser: user.id }), of, param: 'user' }
}
