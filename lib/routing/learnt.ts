import type { Belief, Learnt } from '../backends/snapshot.ts'
import type { Clock } from '../base/clock.ts'
import type { ModelSpeed } from './cost.ts'
import type { ModelBeliefs } from './model-beliefs.ts'
import type { RoutedBackend } from './routed-backend.ts'

/** A larger ratio to the other backends of the model is marked. */
const MAX_RATIO = 2

type Name = keyof Learnt
type Assumption = Omit<Belief, 'contradicts'>

/** What routing assumes about each backend of a model, as operators see it. */
export function learntOfAll(all: readonly RoutedBackend[], clock: Clock): Learnt[] {
  const assumptions = all.map(routed => assumptionsOf(routed, clock))
  return assumptions.map((own, i) => {
    const others = assumptions.filter((_, other) => other !== i)
    const belief = (name: Name): Belief => ({
      ...own[name],
      contradicts: contradicts(
        own[name].value,
        others.map(other => other[name].value),
      ),
    })
    return {
      prefillTokensPerSecond: belief('prefillTokensPerSecond'),
      floorMs: belief('floorMs'),
      decodeStepMs: belief('decodeStepMs'),
      cacheTokens: belief('cacheTokens'),
    }
  })
}

function assumptionsOf({ backend, beliefs, model, cache }: RoutedBackend, clock: Clock): Record<Name, Assumption> {
  const { routing } = backend.config
  const { prefill_tokens_per_second: rate, decode_step_ms: step } = routing
  const learnt = { engine: null, source: 'replies' } as const
  const ofSamples = ({ count, movedAt }: { readonly count: number; readonly movedAt: number }) => ({
    samples: count,
    movedAt: movedAt === 0 ? null : Math.round(clock.now() - clock.monotonic() + movedAt),
  })
  const set = { samples: 0, movedAt: null, engine: null, source: 'set' } as const
  return {
    prefillTokensPerSecond: {
      value: beliefs.workPerMs(routing) * 1000,
      ...(rate === undefined ? { ...learnt, ...ofSamples(beliefs.rate) } : set),
    },
    floorMs: { value: model.floor.value, ...learnt, ...ofSamples(model.floor) },
    decodeStepMs: {
      value: step ?? model.stepMs,
      ...(step === undefined ? { ...learnt, ...ofSamples(model.step) } : set),
    },
    cacheTokens: { value: cache.tokens, source: cache.source, engine: cache.reported ?? null, ...ofSamples(cache) },
  }
}

/** Whether a value differs too much from the median of the others. */
function contradicts(value: number, others: readonly number[]): boolean {
  const sorted = others.toSorted((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? value
  return value > MAX_RATIO * median || median > MAX_RATIO * value
}

/** What routing assumes of all backends of a model. */
export interface Beliefs {
  readonly prefillTokensPerSecond: number
  readonly floorMs: number
  readonly decodeStepMs: number
  readonly kvMs: number
  /** Numbers of samples by the names above; 0: a default, or configured. */
  readonly samples: Readonly<Record<Exclude<keyof Beliefs, 'samples'>, number>>
}

/** `speed`: of the candidates of a decision. */
export function beliefsOf({ rate, floor, step, kv }: ModelBeliefs, speed: ModelSpeed): Beliefs {
  return {
    prefillTokensPerSecond: speed.workPerMs * 1000,
    floorMs: speed.floorMs,
    decodeStepMs: speed.stepMs,
    kvMs: speed.kvMs,
    samples: {
      prefillTokensPerSecond: rate.count,
      floorMs: floor.count,
      decodeStepMs: step.count,
      kvMs: kv.count,
    },
  }
}
