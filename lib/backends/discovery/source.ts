import type { SourceConfig } from '../../config/config.ts'

/** Backends of one source. A DNS answer with more, by mistake or by an attack, must not fill memory and metrics. */
export const MAX_BACKENDS = 256

export interface LookupResult {
  /** Base URLs, sorted and distinct, at most MAX_BACKENDS. */
  readonly urls: readonly string[]
  readonly total: number
  /** Time to live in milliseconds; null: unknown. */
  readonly ttlMs: number | null
  /** By base URL; undefined: all backends have the same rank. */
  readonly ranks?: ReadonlyMap<string, Rank>
}

/** Priority and weight of a backend among those of the same source. */
export interface Rank {
  /** 0: the first choice. Backends of a higher number are used only if none of a lower number can be reached. */
  readonly priority: number
  /** Factor for the weight of the source's backends: 1 is the mean of the priority. */
  readonly weight: number
}

export interface Source {
  /** Called again only after it has settled. Rejects with a LookupError if the reason is known. */
  lookup(): Promise<LookupResult>
  close(): void
}

/** A failed lookup. The message is a clause that follows the name of the source. */
export class LookupError extends Error {
  override readonly name = 'LookupError'
}

/** The base URL of a server. `host`: a name, or an address of either family. */
export function baseUrl(
  { scheme, basePath }: Pick<SourceConfig, 'scheme' | 'basePath'>,
  host: string,
  port: number,
): string {
  // `origin` omits the default port of the scheme, as in the addresses of other backends.
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`).origin + basePath
}

/** The first MAX_BACKENDS values in sorted order, so that every process uses the same. */
export function bounded<T extends string>(values: Iterable<T>): readonly T[] {
  return [...new Set(values)].sort().slice(0, MAX_BACKENDS)
}
