import type { SourceConfig } from '../../config/config.ts'
import type { Rank } from './srv-ranks.ts'

/** Most backends of one entry. A name that is answered with more, by mistake or by malice, must not fill memory and metrics. */
export const MOST_FOUND = 256

/** What a source has found. */
export interface Found {
  /** Base URLs, sorted, each once; at most MOST_FOUND. */
  readonly urls: readonly string[]
  /** How many there were. */
  readonly total: number
  /** For how long they hold, in milliseconds; null: not said. */
  readonly ttlMs: number | null
  /** By URL; undefined: all are alike. */
  readonly ranks?: ReadonlyMap<string, Rank>
}

/** A place where backends are found. */
export interface Source {
  /** Rejects with a LookupError, or with any other error, where nothing can be said. Called again only when it has ended. */
  look(): Promise<Found>
  /** Ends what is under way. */
  close(): void
}

/** Why a source has no answer: a few words that follow its name. */
export class LookupError extends Error {
  override readonly name = 'LookupError'
}

/** The base URL of a server. `host`: a name, or an address of either family. */
export function baseUrl(
  { scheme, basePath }: Pick<SourceConfig, 'scheme' | 'basePath'>,
  host: string,
  port: number,
): string {
  // URL leaves out the default port of a scheme, as the addresses of other backends do.
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`).origin + basePath
}

/** The first of them in the order of their text, so that every process and every answer takes the same. */
export function bounded<T extends string>(found: Iterable<T>): readonly T[] {
  return [...new Set(found)].sort().slice(0, MOST_FOUND)
}
