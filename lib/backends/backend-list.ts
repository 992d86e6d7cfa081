/** The backends as operators see them: at the operators' port, in `sluiceway backends list`, in the console. */
import type { BackendState, CordonReason } from './backend.ts'
import { addCounts, firstTokenQuantile } from './lease.ts'
import type { BackendSnapshot, Learnt, ModelSnapshot } from './snapshot.ts'

/** The period of the counts, in seconds. */
const PERIOD_S = 60

export interface ListedBackend {
  readonly model: string
  /** Without credentials. Of a source that has found no backend, its name. */
  readonly url: string
  readonly state: BackendState
  /** null: it takes requests, as far as it is healthy. */
  readonly drain: CordonReason | null
  readonly zdr: boolean
  readonly in_flight: number
  /** Of all processes together; null: none. */
  readonly limit: number | null
  /** Of the last minute, as the two below. */
  readonly requests_per_second: number
  /** Failures that count towards ejection. */
  readonly errors: number
  readonly ttft_p95_ms: number | null
  /** What routing believes of it, in the first process that does; null: nothing. */
  readonly learnt: ListedLearnt | null
  /** What keeps it from serving its model, as it says itself (inquiry.ts); null: nothing that is known. */
  readonly problem: string | null
}

export interface ListedLearnt {
  readonly prefill_tokens_per_second: number
  readonly decode_step_ms: number
  readonly cache_tokens: number
  /** `set`: by hand; `engine`: it says so; `replies`: learnt, or a guess. */
  readonly cache_source: Learnt['cacheSource']
}

/** Where backends are looked for, and none has been found. */
export interface EmptySource {
  readonly model: string
  /** In words. */
  readonly source: string
  readonly zdr: boolean
  readonly problem: string
}

/** What keeps the backends of a model at an address from serving it. */
export type ProblemOf = (model: string, address: string) => string | null

/** `processes`: a snapshot of the pool of each. */
export function listBackends(
  processes: readonly (readonly ModelSnapshot[])[],
  problemOf: ProblemOf = () => null,
): ListedBackend[] {
  const found = new Map<string, { readonly model: string; readonly parts: BackendSnapshot[] }>()
  for (const models of processes) {
    for (const { model, backends } of models) {
      for (const [i, backend] of backends.entries()) {
        // The same address may be there twice, with different keys.
        const earlier = backends.slice(0, i).filter(({ address }) => address === backend.address).length
        const key = JSON.stringify([model, backend.address, earlier])
        const entry = found.get(key) ?? { model, parts: [] }
        entry.parts.push(backend)
        found.set(key, entry)
      }
    }
  }
  return Array.from(found.values(), ({ model, parts }) => listed(model, parts, problemOf))
}

/** The rows of places in which no backend has been found: they would be missing without a word. */
export function listEmpty(sources: readonly EmptySource[]): ListedBackend[] {
  return sources.map(({ model, source, zdr, problem }) => ({
    model,
    url: source,
    state: 'unhealthy',
    drain: null,
    zdr,
    in_flight: 0,
    limit: null,
    requests_per_second: 0,
    errors: 0,
    ttft_p95_ms: null,
    learnt: null,
    problem,
  }))
}

/** Of several processes, the one furthest behind in this list counts: a backend is drained when it is in all of them. */
const STATES: readonly BackendState[] = ['drained', 'draining', 'up', 'probing', 'ejected', 'unhealthy']

function listed(model: string, parts: readonly BackendSnapshot[], problemOf: ProblemOf): ListedBackend {
  const [first] = parts as readonly [BackendSnapshot, ...BackendSnapshot[]]
  const counts = addCounts(parts.map(({ recent }) => recent))
  const limits = parts.map(({ limit }) => limit)
  return {
    model,
    url: first.address,
    state: STATES[Math.max(...parts.map(({ state }) => STATES.indexOf(state)))]!,
    drain: parts.every(({ cordon }) => cordon !== null) ? first.cordon : null,
    zdr: first.zdr,
    in_flight: parts.reduce((sum, { inFlight }) => sum + inFlight, 0),
    limit: limits.reduce<number | null>((sum, limit) => (sum === null || limit === null ? null : sum + limit), 0),
    requests_per_second: Math.round((counts.requests / PERIOD_S) * 100) / 100,
    errors: counts.failures,
    ttft_p95_ms: firstTokenQuantile(counts, 0.95),
    learnt: listedLearnt(parts.find(({ learnt }) => learnt !== null)?.learnt ?? null),
    problem: problemOf(model, first.address),
  }
}

function listedLearnt(learnt: Learnt | null): ListedLearnt | null {
  if (learnt === null) return null
  return {
    prefill_tokens_per_second: Math.round(learnt.prefillTokensPerSecond),
    decode_step_ms: Math.round(learnt.decodeStepMs * 1000) / 1000,
    cache_tokens: Math.round(learnt.cacheTokens),
    cache_source: learnt.cacheSource,
  }
}
