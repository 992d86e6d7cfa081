/** Which requests of an account a limit counts, as text in the names of counters. */

/** Absent members: of any key, for any model, of any end user. */
export interface Scope {
  readonly key?: string | undefined
  readonly model?: string | undefined
  /** The stored form of an end user: never text of the client. */
  readonly endUser?: string | undefined
}

/** `[<key id>][:model=<id>][:user=<end user>]`. undefined: all requests of the account. Ids of keys contain no `=`. */
export function scopeName({ key, model, endUser }: Scope): string | undefined {
  const parts = [key, model && `model=${model}`, endUser && `user=${endUser}`].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(':')
}

/** Name of a rate: requests, or their tokens, of an account or of a scope of it. */
export function rateName(counted: 'inference' | 'tokens', scope?: string): string {
  return scope === undefined ? counted : `${counted}:${scope}`
}

const SCOPE = /^([^:=]+)?:?(?:model=(.+)|user=(.+))?$/

/** The scope of a name. A scope has a model or an end user, not both. */
export function scopeOf(name: string | undefined): Scope {
  const [, key, model, endUser] = SCOPE.exec(name ?? '') ?? []
  return { key, model, endUser }
}
