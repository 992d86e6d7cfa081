/** The runs of the benchmark of batches: interactive requests with and without an endless backlog, and lines alone. */
import type { SpareLimits } from '../../lib/routing/spare/rule.ts'
import type { EngineSpeed } from '../../simulator/engine-speed.ts'
import { atRate, type Plan } from '../routing/plan.ts'
import { PROFILES } from '../routing/profiles.ts'
import { countedOf, type Result, resultOf, type Sample } from '../routing/result.ts'
import type { Scenario } from '../routing/scenarios.ts'
import { type SimulationParts, simulate } from '../routing/virtual.ts'
import { Backlog, type LineShape } from './backlog.ts'

/** Of a run with lines alone, and its first part that does not count. */
const ALONE_MS = 60_000
const ALONE_FROM_MS = 20_000

export interface Run {
  readonly result: Result
  /** Mean milliseconds per token of an answer. */
  readonly tokenMs: number
  /** Lines that have ended per second. */
  readonly lines: number
  /** Part of the engines' time that the tokens of interactive requests take. */
  readonly used: number
}

/** An interactive workload at one load, with the requests of one seed. */
export class Interactive {
  readonly #scenario: Scenario
  readonly #plan: Plan
  readonly #seed: number
  readonly #line: LineShape

  constructor(
    scenario: Scenario,
    line: LineShape,
    { load, requests, seed }: Record<'load' | 'requests' | 'seed', number>,
  ) {
    this.#scenario = scenario
    this.#line = line
    this.#seed = seed
    this.#plan = atRate(scenario.plan(requests, seed), (scenario.startRate * load) / 100)
  }

  /** `limits`: of the backlog; undefined: there is none. */
  run(limits?: SpareLimits): Run {
    const { engines, slo } = this.#scenario
    const { sessions, counted: window } = this.#plan
    const { speed } = PROFILES[this.#scenario.profile]
    let backlog: Backlog | undefined
    const attach = (parts: SimulationParts) => {
      if (limits !== undefined) backlog = backlogOf(limits, this.#line, speed, parts)
    }
    const { samples, computed } = simulate({ ...common(this.#scenario), sessions, seed: this.#seed, attach })
    const counted = countedOf(samples, window)
    const { from, until } = window ?? { from: counted[0]!.at, until: counted.at(-1)!.at }
    const answers = new Map(sessions.map(({ id, turns }) => [id, turns]))
    const busyMs = counted.reduce((sum, one) => {
      const { answerTokens } = answers.get(one.session!)![one.turn!]!
      return sum + engineMs(one, answerTokens, speed)
    }, 0)
    return {
      result: resultOf(samples, computed, 1, { slo, counted: window }),
      tokenMs: counted.reduce((sum, { tpot }) => sum + tpot, 0) / counted.length,
      lines: perSecond(backlog?.ended ?? [], from, until),
      used: busyMs / ((until - from) * engines),
    }
  }
}

/** Lines per second of the engines of a scenario without other requests. `limits` null: without the rule. */
export function linesAlone(scenario: Scenario, line: LineShape, slots: number, limits: SpareLimits | null): number {
  const { speed } = PROFILES[scenario.profile]
  let backlog: Backlog | undefined
  const attach = (parts: SimulationParts) => {
    backlog = backlogOf(limits, line, speed, parts, slots)
  }
  simulate({ ...common(scenario), sessions: [], seed: 1, untilMs: ALONE_MS, attach })
  return perSecond(backlog!.ended, ALONE_FROM_MS, ALONE_MS)
}

function common({ engines, profile }: Scenario) {
  const { speed, attentionTokens } = PROFILES[profile]
  return { policy: 'cost', engines, speed, times: 1, attentionTokens, reportsCache: true } as const
}

function backlogOf(
  limits: SpareLimits | null,
  line: LineShape,
  { blockTokens }: EngineSpeed,
  parts: SimulationParts,
  slots = limits?.slots ?? 0,
): Backlog {
  return new Backlog({ limits, slots, line, blockTokens }, parts)
}

function perSecond(ended: Backlog['ended'], from: number, until: number): number {
  return (1000 * ended.filter(({ at }) => at >= from && at < until).length) / (until - from)
}

/** The time of an engine that the tokens of a request take, next to others. */
export function engineMs({ promptTokens, cachedTokens }: Sample, answerTokens: number, speed: EngineSpeed): number {
  const { tokenMs, pairMs, kvMs } = speed
  const pairs = (promptTokens ** 2 - cachedTokens ** 2) / 2
  const prefillMs = (promptTokens - cachedTokens) * tokenMs + pairs * pairMs
  return prefillMs + answerTokens * (tokenMs + kvMs * (promptTokens + answerTokens / 2))
}
