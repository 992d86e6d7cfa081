import type { Key } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { ModelConfig } from '../config/config.ts'
import type { RequestRecord } from '../store/record.ts'

declare const carried: unique symbol

/** A typed value on the exchange. Plugins declare the slots that they use, and their order is checked at start. */
export interface Slot<Name extends string = string, T = unknown> {
  readonly name: Name
  readonly index: number
  /** Type only, never set. */
  readonly [carried]?: T
}

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

/** Number of slots of an exchange. Grows while plugins are loaded; fixed once the chain is compiled. */
export function slotCount(): number {
  return indexes.size
}

// ------------------------------------------------------------ slots that the core reads

/** The request in canonical form. */
export const chat = slot('chat').of<CanonicalRequest>()

export const pipe = slot('pipe').of<PipeRequest>()

/** The client's API key and its account. */
export const key = slot('key').of<Key>()

/** How the client's format behaves for this account. */
export const formatOptions = slot('format-options').of<FormatOptions>()

/** What requires zero data retention: a request header or the account's policy. null: it is not required. */
export const zdr = slot('zdr').of<'header' | 'policy' | null>()

/** The model, and which of its backends may serve the request. */
export const target = slot('target').of<Target>()

/** The model of an exchange, and which of its backends may serve it. */
export interface Target {
  /** Id of the client's account. */
  readonly account: string
  readonly model: ModelConfig
  /** Only backends with zero data retention may serve the request. */
  readonly zdr: boolean
  /** Sent as `cache_salt` to engines that accept it: isolates the account in their prefix cache. Never logged. */
  readonly cacheSalt?: string | undefined
  /** Name of the client's session, as the client sent it: a hint for routing. Never logged. */
  readonly session?: string | undefined
  /** The plan's priority, for the model's queue and engines that accept it. Higher is served first. Default: 0. */
  readonly priority?: number | undefined
  /** Targets to try in order if no backend of the model can serve the request. Absent: none. */
  fallbacks?(): readonly Target[]
  /** Models that the client may use instead, for the message of a refusal. */
  alternatives(): readonly ModelConfig[]
}

/** A request on a byte-pipe route. It has no canonical form. */
export interface PipeRequest {
  readonly kind: 'pipe'
  /** Id or alias, as the client sent it. */
  readonly model: string
  /** As the client sent it. It is copied for a backend without reading it: long texts of a large body stay bytes. */
  body: JsonObject
  /** Members that are accepted without effect. Backends do not receive them. */
  readonly withoutEffect: ReadonlySet<string>
}

/** The line of a batch that an exchange on the surface `batch` runs. */
export const batchLine = slot('batch-line').of<BatchLine>()

export interface BatchLine {
  /** Id of the batch. */
  readonly batch: string
  /** Number of the line, from 1. */
  readonly line: number
  /** Factor of the model's price. */
  readonly priceFactor: number
  /** Receives the record in place of the journal: the line's result must be durable before its record. */
  keep(record: RequestRecord): void
  /** Resolves with true when the result is durable, and with false when it will not be. Only the former is charged. */
  readonly kept: Promise<boolean>
  /**
   * An interactive request takes the place of this line. The caller cancels the request, and sends the line again
   * later. Absent: the line keeps its place.
   */
  preempt?(): void
  /** The line waits for spare capacity from now on. */
  waits?(): void
  /** The line has waited for spare capacity, and is sent to a backend now. */
  sent?(): void
}
