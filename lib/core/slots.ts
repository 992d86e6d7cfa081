import type { Key } from '../accounts/access.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { PipeRequest } from './pipe-request.ts'
import type { Target } from './target.ts'

declare const carried: unique symbol

/** A typed value on the exchange. Plugins declare which slots they need, provide and want; boot checks the order. */
export interface Slot<Name extends string = string, T = unknown> {
  readonly name: Name
  readonly index: number
  /** Type only, never set. */
  readonly [carried]?: T
}

/** The type of a slot's value. */
export type ValueOf<S> = S extends Slot<string, infer T> ? T : never

const indexes = new Map<string, number>()

/** `export const account = slot('account').of<Account>()`. The same name always gives the same index. */
export function slot<const Name extends string>(name: Name) {
  return {
    of<T>(): Slot<Name, T> {
      const index = indexes.get(name) ?? indexes.size
      indexes.set(name, index)
      return { name, index }
    },
  }
}

/** Number of slots of an exchange. Grows while plugins load; fixed once the chain is compiled. */
export function slotCount(): number {
  return indexes.size
}

/** The request in canonical form. One of the slots that the core itself reads. */
export const chat = slot('chat').of<CanonicalRequest>()

/** The request on a route whose replies pass as bytes. Read by the core. */
export const pipe = slot('pipe').of<PipeRequest>()

/** The key the client sent and the account it belongs to; read by the core, which shares memory and places by account. */
export const key = slot('key').of<Key>()

/** Id of the account of an exchange; empty: no key is known. */
export function accountOf(exchange: { find(slot: typeof key): Key | undefined }): string {
  return exchange.find(key)?.account.id ?? ''
}

/** How the client's format behaves for this account; read by the core for the reply. */
export const formatOptions = slot('format-options').of<FormatOptions>()

/** The source that requires zero data retention, on which the status of a refusal depends; null: it is not required. */
export const zdr = slot('zdr').of<'header' | 'policy' | null>()

/** The model and the backends that may serve it; read by the core. */
export const target = slot('target').of<Target>()
