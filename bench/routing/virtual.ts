/** The policies with modelled engines in virtual time: measures only the decisions. */
import { leastLoad } from '../../lib/backends/model-backends.ts'
import type { Backend } from '../../lib/backends/pool.ts'
import { BackendPool } from '../../lib/backends/pool.ts'
import type { ModelConfig } from '../../lib/config/config.ts'
import type { Routed } from '../../lib/routing/model-routing.ts'
import { promptSize } from '../../lib/tokens/prompt-size.ts'
import { EngineJob, type EngineSpeed } from '../../simulator/engine-model.ts'
import { blocksOf } from '../../simulator/timed-engine.ts'
import { backendConfig } from '../../test/support/backend-config.ts'
import { model as modelConfig } from '../../test/support/canonical.ts'
import { trueCost } from './oracle.ts'
import type { Sample } from './result.ts'
import { textOf } from './text.ts'
import { type Flight, type Outage, VirtualEngines } from './virtual-engines.ts'
import {
  promptOfTurn,
  requestOf,
  type VirtualGateway,
  VirtualGateways,
  type VirtualGatewaysOptions,
} from './virtual-gateways.ts'
import { VirtualTime } from './virtual-time.ts'
import { hashed, type Random, type Session, seeded, type Turn } from './workloads.ts'

export const POLICIES = ['oracle', 'cost', 'least_load', 'session'] as const
export type Policy = (typeof POLICIES)[number]

export interface VirtualRun {
  readonly policy: Policy
  readonly sessions: readonly Session[]
  readonly engines: number
  readonly speed: EngineSpeed
  /** Factor by which time is compressed. */
  readonly times: number
  readonly seed: number
  /** Default: one. */
  readonly gateways?: VirtualGatewaysOptions
  /** Default: none. */
  readonly outage?: Outage | undefined
}

export interface Simulated {
  readonly samples: readonly Sample[]
  /** Prompt tokens that each engine has computed. */
  readonly computed: readonly number[]
  /** Number of requests whose answers had begun when their engine was killed. */
  readonly lost: number
}

export function simulate(run: VirtualRun): Simulated {
  return new Simulation(run).run()
}

/** A request in flight. It may be sent to several backends, one after the other. */
interface Sent {
  readonly at: number
  readonly turn: Turn
  readonly session: Session
  readonly gateway: VirtualGateway
  readonly routed: Routed | undefined
  readonly blocks: readonly number[]
  readonly tried: Set<Backend>
  /** The request has been answered or lost. */
  over(): void
}

class Simulation {
  readonly #policy: Policy
  readonly #times: number
  readonly #speed: EngineSpeed
  readonly #time = new VirtualTime()
  readonly #random: Random
  readonly #model: ModelConfig
  readonly #pool: BackendPool
  readonly #engines: VirtualEngines
  readonly #gateways: VirtualGateways
  readonly #samples: Sample[] = []
  #lost = 0
  /** Number of requests that are in flight or planned. */
  #open: number

  constructor({ policy, sessions, engines, speed, times, seed, gateways, outage }: VirtualRun) {
    this.#policy = policy
    this.#times = times
    this.#speed = speed
    this.#random = seeded(seed)
    const backends = Array.from({ length: engines }, (_, i) => backendConfig({ url: `http://e${i}/v1` }))
    this.#model = modelConfig({}, { backends })
    this.#pool = new BackendPool([this.#model], this.#time, {
      health: null,
      onStateChange: (backend, state) => state !== 'up' && this.#gateways.lost(backend),
    })
    this.#engines = new VirtualEngines(speed, this.#pool.backends())
    const alone = { count: 1, sticky: false, sharedAfterMs: undefined }
    this.#gateways = new VirtualGateways(gateways ?? alone, this.#time, this.#engines.backends, this.#random)
    this.#open = sessions.reduce((sum, { turns }) => sum + turns.length, 0)
    for (const session of sessions) this.#time.after(session.at / times, () => this.#send(session, 0))
    if (outage !== undefined) this.#engines.plan(outage, this.#time, times)
  }

  run(): Simulated {
    while (this.#open > 0) {
      const engine = this.#engines.earliest(this.#time.next)
      if (engine === undefined) {
        this.#time.step()
      } else {
        this.#time.ms = engine.next
        engine.advance(engine.next)
      }
    }
    return { samples: this.#samples, computed: this.#engines.computed, lost: this.#lost }
  }

  #send(session: Session, at: number): void {
    const turn = session.turns[at]!
    const gateway = this.#gateways.of(session.id)
    const text = turn.pieces.map(({ id, tokens }) => textOf(id, tokens)).join('')
    this.#dispatch({
      at: this.#time.ms,
      turn,
      session,
      gateway,
      routed: this.#policy === 'cost' ? gateway.routing.route(promptOfTurn(turn)) : undefined,
      blocks: blocksOf(text, this.#speed.blockTokens),
      tried: new Set(),
      over: () => {
        this.#open--
        if (at + 1 >= session.turns.length) return
        this.#time.after(session.pauses[at]! / this.#times, () => this.#send(session, at + 1))
      },
    })
  }

  #dispatch(sent: Sent): void {
    const { at, turn, gateway, routed, tried } = sent
    const time = this.#time
    const { answerTokens } = turn
    const promptTokens = turn.pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    let first = 0
    const job = new EngineJob(promptTokens, answerTokens, sent.blocks, (count, now) => {
      time.ms = Math.max(time.ms, now)
      if (count === 1) {
        first = now
        lease.answering(true)
      }
      if (count < answerTokens) return
      this.#engines.done(backend, flight)
      gateway.tokens.learn(promptSize(requestOf(turn)), promptTokens)
      const cachedTokens = job.cached
      lease.release('ok', { promptTokens, completionTokens: answerTokens, cachedTokens, reasoningTokens: null })
      const tpot = (now - first) / Math.max(1, answerTokens - 1)
      this.#samples.push({ at, ttft: first - at, tpot, promptTokens, cachedTokens })
      sent.over()
    })
    const choose = routed?.choose ?? ((candidates: readonly Backend[]) => this.#choose(candidates, sent.session, job))
    const backend = this.#pool.pick(this.#model, false, tried, choose)
    const lease = backend.acquire(routed?.place(backend))
    const flight: Flight = {
      job,
      broken: () => {
        lease.release('neutral')
        if (first === 0) return this.#retry(sent, backend)
        this.#lost++
        sent.over()
      },
    }
    if (this.#engines.submit(backend, flight, time.ms)) return
    lease.release('neutral')
    backend.health.unreachable()
    this.#retry(sent, backend)
  }

  #retry(sent: Sent, tried: Backend): void {
    sent.tried.add(tried)
    this.#dispatch(sent)
  }

  #choose(candidates: readonly Backend[], session: Session, job: EngineJob): Backend {
    if (this.#policy === 'session') return candidates[hashed(session.id) % candidates.length]!
    if (this.#policy === 'least_load') return leastLoad(candidates, this.#random)
    let best = candidates[0]!
    let least = Number.POSITIVE_INFINITY
    for (const backend of candidates) {
      const cost = trueCost(this.#engines.of(backend), job)
      if (cost > least || (cost === least && this.#random() < 0.5)) continue
      least = cost
      best = backend
    }
    return best
  }
}
