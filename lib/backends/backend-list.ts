/** The backends as operators see them: on the operators' port, in `sluiceway backends list`, in the console. */
import type { BackendState, CordonReason } from './backend.ts'
import { addCounts, firstTokenQuantile } from './recent.ts'
import type { BackendSnapshot, Belief, Learnt, ModelSnapshot } from './snapshot.ts'

const PERIOD_S = 60

interface ListedState {
  readonly state: BackendState
  /** Why the backend is cordoned; null: it is not. */
  readonly drain: CordonReason | null
  readonly in_flight: number
  /** In the last minute, like `errors` and `ttft_p95_ms`. */
  readonly requests_per_second: number
  /** Failures that count towards ejection. */
  readonly errors: number
  readonly ttft_p95_ms: number | null
  /** Why the backend cannot serve its model, or why its discovery fails; null: no known problem. */
  readonly problem: string | null
}

/** What one gateway sees of a backend. */
export interface ListedMachine extends ListedState {
  readonly machine: string
  /** It does not answer any more: its numbers are old, and not counted in the sums. */
  readonly stale: boolean
}

/** The state is the worst of all gateways, the numbers are their sums. */
export interface ListedBackend extends ListedState {
  readonly model: string
  /** Base URL without credentials. For a source without backends: the name of the source. */
  readonly url: string
  readonly zdr: boolean
  /** Of all processes together; null: none. */
  readonly limit: number | null
  /** Assumptions of routing about the backend, from the first process that has any; null: none. */
  readonly learnt: ListedLearnt | null
  /** The same assumptions with their sources. */
  readonly beliefs: ListedBeliefs | null
  readonly machines: readonly ListedMachine[]
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

/** A backend as all processes of a gateway see it. */
export interface SeenBackend extends BackendSnapshot {
  readonly model: string
  readonly problem: string | null
}

/** The backends of one gateway. */
export interface GatewayView {
  /** Name of its machine. */
  readonly machine: string
  /** It does not answer any more: its numbers are old. */
  readonly isStale: boolean
  readonly backends: readonly SeenBackend[]
}

/** `processes`: a snapshot of the pool of each process of a gateway. */
export function seenBackends(
  processes: readonly (readonly ModelSnapshot[])[],
  problemOf: ProblemOf = () => null,
): SeenBackend[] {
  const lists = processes.map(models =>
    models.flatMap(({ model, backends }) =>
      backends.map(backend => ({ ...backend, model, problem: problemOf(model, backend.address) })),
    ),
  )
  return byBackend(lists).map(summed)
}

/** Rows for sources without backends, so that operators see their problem. */
export function seenEmpty(sources: readonly EmptySource[]): SeenBackend[] {
  return sources.map(({ model, source, zdr, problem }) => ({
    model,
    address: source,
    zdr,
    state: 'unhealthy',
    cordon: null,
    inFlight: 0,
    limit: null,
    recent: addCounts([]),
    learnt: null,
    problem,
  }))
}

/** The first gateway is the one that is asked. */
export function listBackends(gateways: readonly GatewayView[]): ListedBackend[] {
  const lists = gateways.map(({ machine, isStale, backends }) =>
    backends.map(backend => ({ ...backend, machine, isStale })),
  )
  return byBackend(lists).map(listed)
}

type Parts<T> = readonly [T, ...T[]]

/** Groups the entries of several lists that are the same backend of a model. */
function byBackend<T extends Pick<SeenBackend, 'model' | 'address'>>(lists: readonly (readonly T[])[]): Parts<T>[] {
  const found = new Map<string, [T, ...T[]]>()
  for (const list of lists) {
    const seen = new Map<string, number>()
    for (const backend of list) {
      const name = JSON.stringify([backend.model, backend.address])
      // A model may have two backends with the same address and different keys.
      const earlier = seen.get(name) ?? 0
      seen.set(name, earlier + 1)
      const key = `${name} ${earlier}`
      const parts = found.get(key)
      if (parts === undefined) found.set(key, [backend])
      else parts.push(backend)
    }
  }
  return [...found.values()]
}

/** The last of these states in any process counts: a backend is drained when it is drained in all processes. */
const STATES: readonly BackendState[] = ['drained', 'draining', 'up', 'probing', 'ejected', 'unhealthy']

function summed(parts: Parts<SeenBackend>): SeenBackend {
  const problems = new Set(parts.flatMap(({ problem }) => problem ?? []))
  return {
    ...parts[0],
    state: STATES[Math.max(...parts.map(({ state }) => STATES.indexOf(state)))]!,
    cordon: parts.every(({ cordon }) => cordon !== null) ? parts[0].cordon : null,
    inFlight: parts.reduce((sum, { inFlight }) => sum + inFlight, 0),
    recent: addCounts(parts.map(({ recent }) => recent)),
    learnt: parts.find(({ learnt }) => learnt !== null)?.learnt ?? null,
    problem: problems.size === 0 ? null : [...problems].join('; '),
  }
}

function listed(parts: Parts<SeenBackend & { machine: string; isStale: boolean }>): ListedBackend {
  // If all gateways that have the backend are lost, it is listed without load until they are forgotten.
  const isLost = parts.every(({ isStale }) => isStale)
  const used = parts.filter(({ isStale }) => isStale === isLost) as [...Parts<(typeof parts)[0]>]
  const all = summed(used)
  return {
    model: all.model,
    url: all.address,
    zdr: all.zdr,
    limit: all.limit,
    ...listedState(isLost ? { ...all, inFlight: 0, recent: addCounts([]) } : all),
    // Operators see the effect of a drain at once, while the snapshots of other gateways are older.
    drain: used[0].cordon,
    ...listedLearnt(all.learnt),
    machines: parts.map(part => ({ machine: part.machine, stale: part.isStale, ...listedState(part) })),
  }
}

function listedState({ state, cordon, inFlight, recent, problem }: SeenBackend): ListedState {
  return {
    state,
    drain: cordon,
    in_flight: inFlight,
    requests_per_second: Math.round((recent.requests / PERIOD_S) * 100) / 100,
    errors: recent.failures,
    ttft_p95_ms: firstTokenQuantile(recent, 0.95),
    problem,
  }
}

/** Names of a state that are shown. */
const MAX_NAMES = 4

/** `ejected: gw-2; up: gw-1, gw-3`: the machines by state, the worst first. */
export function machinesText(machines: readonly ListedMachine[]): string {
  const groups = Map.groupBy(machines, ({ state, stale }) => (stale ? 'lost' : state))
  return ([...STATES, 'lost'] as const)
    .toReversed()
    .map(state => [state, groups.get(state) ?? []] as const)
    .filter(([, of]) => of.length > 0)
    .map(([state, of]) => {
      const names = of.slice(0, MAX_NAMES).map(({ machine }) => machine)
      const more = of.length - names.length
      return `${state}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    })
    .join('; ')
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
