import type { BackendConfig } from '../config/config.ts'

/**
 * Why a backend is sent no new requests: `drain` or a `weight` of 0 in the file, the command, or a reload that has removed it.
 */
export type DrainReason = 'file' | 'weight' | 'operator' | 'removed'

/** Backends that an operator drains: those at this address, of one model or, without it, of every model. */
export interface Drained {
  readonly url: string
  readonly model?: string | undefined
}

/** Whether one backend is sent new requests. */
export class Drain {
  byOperator = false
  /** The configuration no longer names the backend. */
  removed = false

  /** null: it may be sent requests. */
  reason({ drain, weight }: BackendConfig): DrainReason | null {
    if (this.removed) return 'removed'
    if (this.byOperator) return 'operator'
    if (drain) return 'file'
    return weight > 0 ? null : 'weight'
  }
}

/** Whether one of these is the backend of this model at this address. */
export function isDrained(drained: readonly Drained[], model: string, address: string): boolean {
  return drained.some(one => (one.model ?? model) === model && addressOf(one.url) === address)
}

/** A base URL without credentials, query and slashes at its end. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}
