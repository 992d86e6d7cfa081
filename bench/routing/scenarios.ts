/** Workloads with their engines and objectives, at any rate. */
import { PEER_PLANS } from './peer-workloads.ts'
import { atRate, type Plan } from './plan.ts'
import type { Policy } from './policies/index.ts'
import { PROFILES, type Profile, type ProfileName } from './profiles.ts'
import { DEFAULT_SLO, type Result, resultOf, type Slo } from './result.ts'
import { type RigName, rigPlan } from './rig-workloads.ts'
import { RATES } from './runs.ts'
import { type Disturbance, type Probe, simulate } from './virtual.ts'
import { GENERATORS, generated } from './workloads.ts'

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

const old = GENERATORS.map(
  (name): Scenario => ({
    name,
    profile: 'h100-8b',
    engines: ENGINES,
    slo: DEFAULT_SLO,
    startRate: (2 * RATES[name]! * ENGINES) / 4,
    plan: (requests, seed) => ({ sessions: generated(name, requests, 1, seed), baseRate: 1, counted: undefined }),
  }),
)

const rig = (['chat', 'agent', 'rag'] as const).map(
  (name: RigName): Scenario => ({
    name: `rig-${name}`,
    profile: 'h200-quarter',
    engines: RIG_ENGINES,
    slo: RIG_SLO,
    startRate: { chat: 26, agent: 13, rag: 26 }[name],
    plan: (requests, seed) => rigPlan(name, requests, seed),
  }),
)

const peers = (
  [
    ['shared-prompts', '32b-2xh100', 30],
    ['long-answers', '32b-2xh100', 2],
    ['long-agents', 'mla-8xb200', 12],
  ] as const
).map(
  ([name, profile, startRate]): Scenario => ({
    name,
    profile,
    engines: ENGINES,
    slo: DEFAULT_SLO,
    startRate,
    plan: PEER_PLANS[name]!,
  }),
)

export const SCENARIOS: readonly Scenario[] = [...old, ...rig, ...peers]
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
}
