/** The backends as operators see them: on the operators' port, in `sluiceway backends list`, in the console. */
import type { BackendState, CordonReason } from './backend.ts'
import { addCounts, firstTokenQuantile } from './recent.ts'
import type { BackendSnapshot, Belief, Learnt, ModelSnapshot } from './snapshot.ts'

const PERIOD_S = 60

export interface ListedBackend {
  readonly model: string
  /** Base URL without credentials. For a source without backends: the name of the source. */
  readonly url: string
  readonly state: BackendState
  /** Why the backend is cordoned; null: it is not. */
  readonly drain: CordonReason | null
  readonly zdr: boolean
  readonly in_flight: number
  /** Of all processes together; null: none. */
  readonly limit: number | null
  /** In the last minute, like `errors` and `ttft_p95_ms`. */
  readonly requests_per_second: number
  /** Failures that count towards ejection. */
  readonly errors: number
  readonly ttft_p95_ms: number | null
  /** Assumptions of routing about the backend, from the first process that has any; null: none. */
  readonly learnt: ListedLearnt | null
  /** The same assumptions with their sources. */
  readonly beliefs: ListedBeliefs | null
  /** Why the backend cannot serve its model, or why its discovery fails; null: no known problem. */
  readonly problem: string | null
}

interface ListedLearnt {
  readonly prefill_tokens_per_second: number
  readonly decode_step_ms: number
  readonly cache_tokens: number
  /** `set`: configured; `engine`: reported by the engine; `replies`: measured or guessed. */
  readonly cache_source: Belief['source']
}

export interface ListedBeliefs {
  readonly prefill_tokens_per_second: ListedBelief
  readonly floor_ms: ListedBelief
  readonly decode_step_ms: ListedBelief
  readonly cache_tokens: ListedBelief
}

export interface ListedBelief {
  readonly value: number
  readonly source: Belief['source']
  /** Replies that it depends on. */
  readonly samples: number
  /** When it last changed, in ISO 8601; null: never. */
  readonly moved_at: string | null
  /** The value that the engine reports; null: none. */
  readonly engine: number | null
  /** It differs from that of the model's other backends by more than a factor of two. */
  readonly contradicts_pool: boolean
}

/** A source of service discovery without backends. */
export interface EmptySource {
  readonly model: string
  readonly source: string
  readonly zdr: boolean
  readonly problem: string
}

type ProblemOf = (model: string, address: string) => string | null

/** `processes`: a snapshot of the pool of each process. */
export function listBackends(
  processes: readonly (readonly ModelSnapshot[])[],
  problemOf: ProblemOf = () => null,
): ListedBackend[] {
  const found = new Map<string, { readonly model: string; readonly parts: BackendSnapshot[] }>()
  for (const models of processes) {
    for (const { model, backends } of models) {
      for (const [i, backend] of backends.entries()) {
        // A model may have two backends with the same address and different keys.
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

/** Rows for sources without backends, so that operators see their problem. */
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
    beliefs: null,
    problem,
  }))
}

/** The last of these states in any process counts: a backend is drained when it is drained in all processes. */
const STATES: readonly BackendState[] = ['drained', 'draining', 'up', 'probing', 'ejected', 'unhealthy']

function listed(model: string, parts: readonly BackendSnapshot[], problemOf: ProblemOf): ListedBackend {
  const [first] = parts as readonly [BackendSnapshot, ...BackendSnapshot[]]
  const counts = addCounts(parts.map(({ recent }) => recent))
  return {
    model,
    url: first.address,
    state: STATES[Math.max(...parts.map(({ state }) => STATES.indexOf(state)))]!,
    drain: parts.every(({ cordon }) => cordon !== null) ? first.cordon : null,
    zdr: first.zdr,
    in_flight: parts.reduce((sum, { inFlight }) => sum + inFlight, 0),
    limit: first.limit,
    requests_per_second: Math.round((counts.requests / PERIOD_S) * 100) / 100,
    errors: counts.failures,
    ttft_p95_ms: firstTokenQuantile(counts, 0.95),
    ...listedLearnt(parts.find(({ learnt }) => learnt !== null)?.learnt ?? null),
    problem: problemOf(model, first.address),
  }
}

function listedLearnt(learnt: Learnt | null): Pick<ListedBackend, 'learnt' | 'beliefs'> {
  if (learnt === null) return { learnt: null, beliefs: null }
  const beliefs = {
    prefill_tokens_per_second: listedBelief(learnt.prefillTokensPerSecond, 1),
    floor_ms: listedBelief(learnt.floorMs, 1000),
    decode_step_ms: listedBelief(learnt.decodeStepMs, 1000),
    cache_tokens: listedBelief(learnt.cacheTokens, 1),
  }
  const { prefill_tokens_per_second, decode_step_ms, cache_tokens } = beliefs
  return {
    learnt: {
      prefill_tokens_per_second: prefill_tokens_per_second.value,
      decode_step_ms: decode_step_ms.value,
      cache_tokens: cache_tokens.value,
      cache_source: cache_tokens.source,
    },
    beliefs,
  }
}

/** `parts`: 1000 to round to thousandths. */
function listedBelief({ value, source, samples, movedAt, engine, contradicts }: Belief, parts: number): ListedBelief {
  return {
    value: Math.round(value * parts) / parts,
    source,
    samples,
    moved_at: movedAt === null ? null : new Date(movedAt).toISOString(),
    engine,
    contradicts_pool: contradicts,
  }
}
