/** Workloads with their engines and objectives, at any rate. */
import { capacityOf } from './capacity.ts'
import { PEER_PLANS } from './peer-workloads.ts'
import { atRate, type Plan, planned } from './plan.ts'
import type { Policy } from './policies/index.ts'
import { PROFILES, type Profile, type ProfileName } from './profiles.ts'
import { DEFAULT_SLO, type Result, resultOf, type Slo } from './result.ts'
import { type RigName, rigPlan } from './rig-workloads.ts'
import { type Disturbance, type Probe, simulate } from './virtual.ts'
import { exponential, GENERATORS, type Random, SHAPES } from './workloads.ts'

export interface Scenario {
  readonly name: string
  readonly profile: ProfileName
  readonly engines: number
  readonly slo: Slo
  /** Where the search of the capacity begins, in requests per second. */
  readonly startRate: number
  plan(requests: number, seed: number): Plan
}

/** As on the GPU: 5 times the prefill of a new chat without load. */
const RIG_SLO: Slo = { firstMs: 1000, firstMsPerToken: 0, tokenMs: 150 }
const ENGINES = 8
const RIG_ENGINES = 4

interface Steady {
  /** About the capacity, in requests per second. Pauses have their stated length at this rate. */
  readonly rate: number
  /** Time until conversations end as often as they begin. */
  readonly warmUpMs: number
  /** Assumed time of an answer. */
  readonly serviceMs: number
  /** Factor of the number of requests: a run must be long compared with the time to the first token. */
  readonly requests: number
}

const STEADY: Readonly<Record<string, Steady>> = {
  chat: { rate: 90, warmUpMs: 60_000, serviceMs: 10_000, requests: 3 },
  agent: { rate: 15, warmUpMs: 100_000, serviceMs: 8000, requests: 1 },
  rag: { rate: 48, warmUpMs: 20_000, serviceMs: 0, requests: 1 },
  tenants: { rate: 110, warmUpMs: 30_000, serviceMs: 10_000, requests: 3 },
  none: { rate: 30, warmUpMs: 10_000, serviceMs: 0, requests: 1 },
}

/** The same sessions as in the other parts, but turns are due at times of their own. */
function plannedOf(name: string, requests: number, seed: number): Plan {
  const { shape, pauseMs } = SHAPES[name]!
  const session = (id: string, random: Random) =>
    shape(id, random).map(turn => ({ ...turn, thinkMs: exponential(random, pauseMs) }))
  const { rate, warmUpMs, serviceMs, requests: factor } = STEADY[name]!
  return planned({ name, baseRate: rate, warmUpMs, serviceMs, session }, factor * requests, seed)
}

const old = GENERATORS.map(
  (name): Scenario => ({
    name,
    profile: 'h100-8b',
    engines: ENGINES,
    slo: DEFAULT_SLO,
    startRate: STEADY[name]!.rate,
    plan: (requests, seed) => plannedOf(name, requests, seed),
  }),
)

const rig = (['chat', 'agent', 'rag'] as const).map(
  (name: RigName): Scenario => ({
    name: `rig-${name}`,
    profile: 'h200-quarter',
    engines: RIG_ENGINES,
    slo: RIG_SLO,
    startRate: { chat: 26, agent: 13, rag: 35 }[name],
    plan: (requests, seed) => rigPlan(name, requests, seed),
  }),
)

const peers = (
  [
    ['shared-prompts', '32b-2xh100', 14],
    ['long-answers', '32b-2xh100', 1.1],
    ['long-agents', 'mla-8xb200', 5],
  ] as const
).map(
  ([name, profile, startRate]): Scenario => ({
    name,
    profile,
    engines: ENGINES,
    slo: DEFAULT_SLO,
    startRate,
    plan: PEER_PLANS[name],
  }),
)

export const SCENARIOS: readonly Scenario[] = [...old, ...rig, ...peers]
export const PEERS: readonly string[] = peers.map(({ name }) => name)
export const RIG: readonly string[] = rig.map(({ name }) => name)
export const LOADED: readonly string[] = [...old, ...peers].map(({ name }) => name)

/** One run of a scenario. */
export interface ScenarioRun {
  readonly policy: Policy
  /** Requests per second. */
  readonly rate: number
  readonly disturbance?: Disturbance
  readonly probes?: readonly Probe[]
}

/** A scenario with the requests of one seed. The plan is computed once for all runs. */
export class Traffic {
  readonly scenario: Scenario
  readonly profile: Profile
  readonly #seed: number
  readonly #plan: Plan

  constructor(scenario: Scenario, requests: number, seed: number) {
    this.scenario = scenario
    this.profile = PROFILES[scenario.profile]
    this.#seed = seed
    this.#plan = scenario.plan(requests, seed)
  }

  /** When the requests that count begin, in milliseconds. */
  countedFrom(rate: number): number {
    return atRate(this.#plan, rate).counted?.from ?? 0
  }

  /** The highest rate at which the policy serves CAPACITY_SHARE of the requests within the objective. */
  capacity(policy: Policy): number {
    return capacityOf(rate => this.#good(policy, rate), this.scenario.startRate)
  }

  run({ policy, rate, disturbance, probes }: ScenarioRun): Result {
    const { engines, slo } = this.scenario
    const { speed, attentionTokens } = this.profile
    const { sessions, counted } = atRate(this.#plan, rate)
    const { samples, computed } = simulate({
      policy,
      sessions,
      engines,
      speed,
      times: 1,
      seed: this.#seed,
      attentionTokens,
      reportsCache: true,
      ...(disturbance && { disturbance }),
      ...(probes && { probes }),
    })
    return resultOf(samples, computed, 1, { slo, counted })
  }

  /** A turn that is sent late, because the turn before it took too long, is not within the objective. */
  #good(policy: Policy, rate: number): number {
    const { good, requests } = this.run({ policy, rate })
    return (good * requests) / Math.max(requests, dueIn(this.#plan))
  }
}

/** The number of requests that are due in the part of a run that counts. */
function dueIn({ sessions, counted }: Plan): number {
  if (counted === undefined) return 0
  const { from, until } = counted
  return sessions.flatMap(({ at, due }) => due ?? [at]).filter(at => at >= from && at < until).length
}
