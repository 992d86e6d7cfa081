/** When a line may be sent to a backend (docs/BATCHES.md#how-it-decides). Times are milliseconds. */
import type { HeldBack } from '../../batches/spare.ts'

/** Steps that an answer delays a first token by: half of the running one, and one of its own. */
const STEPS_MET = 1.5
/** Steps at low load that lines may add to a step, as a multiple of `growth`. */
const MAX_DECODE_STEPS = 10
/** Share of interactive requests that may meet a prefill of a line, as a part of `growth`. It keeps their tail. */
const MEETING_SHARE = 0.2
/** Limit of the part of the time in which a backend computes prompts of interactive requests. */
const MAX_BUSY = 0.8
/** Part of the KV cache that all requests of a backend may hold. */
const MAX_ROOM = 0.9
/** Part of a backend's places that lines take while no interactive request needs them. */
const OFFLINE_SHARE = 0.75

/** The settings of `batches` that the rule reads. */
export interface SpareLimits {
  readonly growth: number
  readonly max_added_ttft_ms: number
  readonly max_share: number
  readonly max_cache_share: number
  readonly slots: number
}

/** One backend as the rule sees it, with the line that may be sent to it. */
export interface LineCandidate {
  /** Requests of all processes that wait there for their first token: interactive ones, and lines. */
  readonly queued: number
  readonly queuedLines: number
  /** Expected time of the queued prefills of lines. */
  readonly queuedLinesMs: number
  /** Lines in flight, and their limit. */
  readonly lines: number
  readonly maxLines: number
  /** What the answers of lines add to a step, with this line. */
  readonly addedMs: number
  /** Mean rest of a line's prefill that a request meets, with this line. */
  readonly metMs: number
  readonly stepMs: number
  /** Tokens that lines hold in the KV cache, with this line, and those of interactive requests. */
  readonly heldByLines: number
  readonly heldByOthers: number
  readonly cacheTokens: number
}

/** How much later first tokens of interactive requests arrive at a backend because of lines, in the mean. */
export function growthOf(addedMs: number, metMs: number): number {
  return STEPS_MET * addedMs + metMs
}

/** How much later they may arrive. `meanFirstMs`: the mean first token of those that meet no queue. */
export function allowedGrowth({ growth, max_added_ttft_ms: maxMs }: SpareLimits, meanFirstMs: number): number {
  return Math.min(growth * meanFirstMs, maxMs)
}

/** What interactive requests lose because of lines, over all backends of a model. */
export interface Loss {
  readonly requestsPerMs: number
  /** Milliseconds of loss per millisecond: later first tokens, and prefixes that lines have evicted. */
  readonly lossShare: number
  /** Requests per millisecond that meet a noticed prefill of a line, or wait for one that does. */
  readonly meetingPerMs: number
}

/** The time of a line's prefill that requests notice: all of it, if it takes as long as their own first token. */
export function noticedMs(prefillMs: number, firstMs: number): number {
  return prefillMs >= firstMs ? prefillMs : prefillMs * (prefillMs / firstMs) ** 2
}

/** How many requests a delay reaches, because they wait for each other. `requestsPerMs`: at one backend. */
export function crowding(requestsPerMs: number, firstMs: number): number {
  return 1 / (1 - Math.min(MAX_BUSY, requestsPerMs * firstMs))
}

/** Whether lines cost the interactive requests of all backends too much: in the mean, or the slowest of them. */
export function isGuarded(
  { requestsPerMs, lossShare, meetingPerMs }: Loss,
  limits: SpareLimits,
  allowedMs: number,
): boolean {
  return lossShare > allowedMs * requestsPerMs || meetingPerMs > MEETING_SHARE * limits.growth * requestsPerMs
}

/** The limit of lines at a backend. `places`: its limit of requests in flight; undefined: it has none. */
export function maxLines(limits: SpareLimits, places: number | undefined, isOffline: boolean): number {
  const { max_share: share, slots } = limits
  if (places === undefined) return atLeastOne(share * slots)
  return atLeastOne((isOffline ? Math.min(share, OFFLINE_SHARE) : share) * places)
}

/** Otherwise lines of a small backend would never run. */
function atLeastOne(places: number): number {
  return Math.max(1, Math.floor(places + 1e-9))
}

/** Why no line is sent to this backend while interactive requests use its model; null: it may be sent. */
export function heldBack(candidate: LineCandidate, limits: SpareLimits, allowedMs: number): HeldBack | null {
  if (candidate.queued > 0 || candidate.queuedLines > 0) return 'prompt'
  if (growthOf(candidate.addedMs, candidate.metMs) > allowedMs) return 'growth'
  if (candidate.addedMs > MAX_DECODE_STEPS * limits.growth * candidate.stepMs) return 'decode'
  return hasRoom(candidate, limits.max_cache_share) ? null : 'room'
}

/**
 * Why no line is sent to this backend while its model is offline; null: it may be sent. Short prompts of lines may be
 * computed together.
 */
export function heldBackOffline(candidate: LineCandidate, limits: SpareLimits): HeldBack | null {
  if (candidate.queued > 0) return 'prompt'
  if (candidate.queuedLines > 0 && candidate.queuedLinesMs > limits.max_added_ttft_ms) return 'prompt'
  return hasRoom(candidate, MAX_ROOM) ? null : 'room'
}

function hasRoom({ lines, maxLines, heldByLines, heldByOthers, cacheTokens }: LineCandidate, share: number): boolean {
  if (lines >= maxLines || heldByLines > share * cacheTokens) return false
  return heldByLines + heldByOthers <= MAX_ROOM * cacheTokens
}
