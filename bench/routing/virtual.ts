/** The policies in front of modelled engines, in virtual time: what is measured is the decision alone. */
import type { ModelConfig } from '../../lib/config/config.ts'
import { promptSize } from '../../lib/tokens/prompt-size.ts'
import type { Backend } from '../../lib/upstream/pool.ts'
import { BackendPool } from '../../lib/upstream/pool.ts'
import { leastLoad } from '../../lib/upstream/routing/least-load.ts'
import { EngineJob, EngineModel, type EngineSpeed } from '../../simulator/engine-model.ts'
import { blocksOf } from '../../simulator/timed-engine.ts'
import { backendConfig } from '../../test/support/backend-config.ts'
import { model as modelConfig } from '../../test/support/canonical.ts'
import { trueCost } from './oracle.ts'
import type { Sample } from './result.ts'
import { textOf } from './text.ts'
import { promptOfTurn, requestOf, VirtualGateways, type VirtualGatewaysOptions } from './virtual-gateways.ts'
import { VirtualTime } from './virtual-time.ts'
import { hashed, type Random, type Session, seeded } from './workloads.ts'

export const POLICIES = ['oracle', 'cost', 'least_load', 'session'] as const
export type Policy = (typeof POLICIES)[number]

export interface VirtualRun {
  readonly policy: Policy
  readonly sessions: readonly Session[]
  readonly engines: number
  readonly speed: EngineSpeed
  /** How much faster than real time. */
  readonly times: number
  readonly seed: number
  /** Default: one. */
  readonly gateways?: VirtualGatewaysOptions
}

export interface Simulated {
  readonly samples: readonly Sample[]
  /** Tokens of prompts that each engine has computed. */
  readonly computed: readonly number[]
}

export function simulate(run: VirtualRun): Simulated {
  return new Simulation(run).run()
}

class Simulation {
  readonly #policy: Policy
  readonly #times: number
  readonly #speed: EngineSpeed
  readonly #time = new VirtualTime()
  readonly #random: Random
  readonly #model: ModelConfig
  readonly #pool: BackendPool
  readonly #engines: ReadonlyMap<Backend, EngineModel>
  readonly #gateways: VirtualGateways
  readonly #samples: Sample[] = []
  /** Requests that have not been answered, and those that are still to come. */
  #open: number

  constructor({ policy, sessions, engines, speed, times, seed, gateways }: VirtualRun) {
    this.#policy = policy
    this.#times = times
    this.#speed = speed
    this.#random = seeded(seed)
    const backends = Array.from({ length: engines }, (_, i) => backendConfig({ url: `http://e${i}/v1` }))
    this.#model = modelConfig({}, { backends })
    this.#pool = new BackendPool([this.#model], this.#time, { health: null })
    this.#engines = new Map(Array.from(this.#pool.backends(), backend => [backend, new EngineModel(speed)]))
    const alone = { count: 1, sticky: false, sharedAfterMs: undefined }
    this.#gateways = new VirtualGateways(gateways ?? alone, this.#time, this.#engines.keys(), this.#random)
    this.#open = sessions.reduce((sum, { turns }) => sum + turns.length, 0)
    for (const session of sessions) this.#time.after(session.at / times, () => this.#send(session, 0))
  }

  run(): Simulated {
    const engines = [...this.#engines.values()]
    while (this.#open > 0) {
      let { next } = this.#time
      let engine: EngineModel | undefined
      for (const one of engines) {
        if (one.next >= next) continue
        next = one.next
        engine = one
      }
      if (engine === undefined) {
        this.#time.step()
      } else {
        this.#time.ms = next
        engine.advance(next)
      }
    }
    return { samples: this.#samples, computed: engines.map(({ computed }) => computed) }
  }

  #send(session: Session, turn: number): void {
    const time = this.#time
    const sent = session.turns[turn]!
    const { pieces, answerTokens } = sent
    const at = time.ms
    const promptTokens = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    const text = pieces.map(({ id, tokens }) => textOf(id, tokens)).join('')
    let first = 0
    const job = new EngineJob(promptTokens, answerTokens, blocksOf(text, this.#speed.blockTokens), (count, now) => {
      time.ms = Math.max(time.ms, now)
      if (count === 1) {
        first = now
        lease.answering(true)
      }
      if (count < answerTokens) return
      gateway.tokens.learn(promptSize(requestOf(sent)), promptTokens)
      const cachedTokens = job.cached
      lease.release('ok', { promptTokens, completionTokens: answerTokens, cachedTokens, reasoningTokens: null })
      const tpot = (now - first) / Math.max(1, answerTokens - 1)
      this.#samples.push({ at, ttft: first - at, tpot, promptTokens, cachedTokens })
      this.#open--
      if (turn + 1 < session.turns.length)
        time.after(session.pauses[turn]! / this.#times, () => this.#send(session, turn + 1))
    })
    const gateway = this.#gateways.of(session.id)
    const routed = this.#policy === 'cost' ? gateway.routing.route(promptOfTurn(sent)) : undefined
    const choose = routed?.choose ?? ((candidates: readonly Backend[]) => this.#choose(candidates, session, job))
    const backend = this.#pool.pick(this.#model, false, undefined, choose)
    const lease = backend.acquire(routed?.place(backend))
    this.#engines.get(backend)!.submit(job, at)
  }

  #choose(candidates: readonly Backend[], session: Session, job: EngineJob): Backend {
    if (this.#policy === 'session') return candidates[hashed(session.id) % candidates.length]!
    if (this.#policy === 'least_load') return leastLoad(candidates, this.#random)
    let best = candidates[0]!
    let least = Number.POSITIVE_INFINITY
    for (const backend of candidates) {
      const cost = trueCost(this.#engines.get(backend)!, job)
      if (cost > least || (cost === least && this.#random() < 0.5)) continue
      least = cost
      best = backend
    }
    return best
  }
}
