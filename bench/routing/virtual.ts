/** The policies with modelled engines in virtual time: measures only the decisions. */
import { type Backend, BackendPool } from '../../lib/backends/pool.ts'
import type { ModelConfig } from '../../lib/config/config.ts'
import type { ModelRouting, Routed } from '../../lib/routing/model-routing.ts'
import { EngineJob } from '../../simulator/engine-model.ts'
import type { EngineSpeed } from '../../simulator/engine-speed.ts'
import { backendConfig, UNSET_ROUTING } from '../../test/support/backend-config.ts'
import { model as modelConfig } from '../../test/support/canonical.ts'
import { createPolicy, type Policy } from './policies/index.ts'
import type { RunningPolicy } from './policies/policy.ts'
import { blocksOfTurn, preparedPrompt, tokensOf } from './prepared.ts'
import type { Sample } from './result.ts'
import { type Flight, type Outage, VirtualEngines } from './virtual-engines.ts'
import { type VirtualGateway, VirtualGateways, type VirtualGatewaysOptions } from './virtual-gateways.ts'
import { VirtualTime } from './virtual-time.ts'
import { hashed, type Random, type Session, seeded, type Turn } from './workloads.ts'

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
  /** `routing.attention_tokens` of the backends; default: that of the configuration. */
  readonly attentionTokens?: number | undefined
  /** The engines report the sizes of their caches; default: the gateway learns them from replies. */
  readonly reportsCache?: boolean
  readonly disturbance?: Disturbance
  /** Called with the gateway's routing at times in milliseconds. */
  readonly probes?: readonly Probe[]
  /** The run lasts at least this long. */
  readonly untilMs?: number
  /** Adds other work to the engines. */
  attach?(parts: SimulationParts): void
}

/** What other work needs of a simulation. */
export interface SimulationParts {
  readonly time: VirtualTime
  readonly pool: BackendPool
  readonly model: ModelConfig
  readonly engines: VirtualEngines
  readonly gateways: readonly VirtualGateway[]
}

/** What happens during a run. Times are not compressed. */
export interface Disturbance {
  readonly outage?: Outage
  /** The first engine is faster by a factor, and has a configured weight. */
  readonly first?: { readonly speed: EngineSpeed; readonly weight: number }
  /** Share of the requests whose clients disconnect, within `cancelMs` after they were sent. */
  readonly cancelledShare?: number
  readonly cancelMs?: number
  /** All engines lose their caches at this time, in milliseconds. */
  readonly cachesLostAt?: number
}

export interface Probe {
  readonly at: number
  call(routing: ModelRouting): void
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
  readonly index: number
  readonly session: Session
  readonly gateway: VirtualGateway
  readonly routed: Routed | undefined
  readonly tried: Set<Backend>
  /** The request has been answered, cancelled or lost. */
  over(): void
}

class Simulation {
  readonly #run: VirtualRun
  readonly #time = new VirtualTime()
  readonly #random: Random
  readonly #model: ModelConfig
  readonly #pool: BackendPool
  readonly #backends: readonly Backend[]
  readonly #engines: VirtualEngines
  readonly #gateways: VirtualGateways
  /** undefined: the gateway's own policy. */
  readonly #policy: RunningPolicy | undefined
  readonly #samples: Sample[] = []
  #lost = 0
  /** Number of requests that are in flight or planned. */
  #open: number

  constructor(run: VirtualRun) {
    const { policy, sessions, speed, times, seed, gateways, disturbance } = run
    this.#run = run
    this.#random = seeded(seed)
    this.#model = modelConfig({}, { backends: backendsOf(run) })
    this.#pool = new BackendPool([this.#model], this.#time, {
      health: null,
      onStateChange: (backend, state) => state !== 'up' && this.#gateways.lost(backend),
    })
    this.#backends = [...this.#pool.backends()]
    const speedOf = (i: number) => (i === 0 ? disturbance?.first?.speed : undefined) ?? speed
    this.#engines = new VirtualEngines(this.#backends.map((backend, i) => [backend, speedOf(i)]))
    const alone = { count: 1, sticky: false, sharedAfterMs: undefined }
    this.#gateways = new VirtualGateways(gateways ?? alone, this.#time, this.#backends, this.#random)
    if (run.reportsCache) for (const backend of this.#backends) this.#gateways.reported(backend, speed.cacheTokens)
    this.#policy = createPolicy(policy, { engines: this.#engines, random: this.#random, now: () => this.#time.ms })
    this.#open = sessions.reduce((sum, { turns }) => sum + turns.length, 0)
    for (const session of sessions) this.#time.after(session.at / times, () => this.#send(session, 0))
    if (disturbance?.outage !== undefined) this.#engines.plan(disturbance.outage, this.#time, times)
    if (disturbance?.cachesLostAt !== undefined) this.#engines.dropCaches(disturbance.cachesLostAt / times, this.#time)
    const { all } = this.#gateways
    run.attach?.({ time: this.#time, pool: this.#pool, model: this.#model, engines: this.#engines, gateways: all })
    for (const { at, call } of run.probes ?? []) this.#time.after(at / times, () => call(this.#gateways.first.routing))
  }

  run(): Simulated {
    while (this.#open > 0 || this.#time.ms < (this.#run.untilMs ?? 0)) {
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

  #send(session: Session, index: number): void {
    const turn = session.turns[index]!
    const gateway = this.#gateways.of(session.id)
    const sent: Sent = {
      at: this.#time.ms,
      turn,
      index,
      session,
      gateway,
      routed: this.#policy === undefined ? gateway.routing.route(preparedPrompt(turn).prompt) : undefined,
      tried: new Set(),
      over: () => {
        this.#open--
        if (index + 1 >= session.turns.length) return
        this.#time.after(this.#pause(session, index), () => this.#send(session, index + 1))
      },
    }
    this.#dispatch(sent)
  }

  /** Time from now, the end of this turn, until the next one is sent. */
  #pause({ due, pauses }: Session, index: number): number {
    const { times } = this.#run
    if (due !== undefined) return Math.max(0, due[index + 1]! / times - this.#time.ms)
    return pauses[index]! / times
  }

  #dispatch(sent: Sent): void {
    const { at, turn, gateway, routed, tried, session } = sent
    const time = this.#time
    const { answerTokens } = turn
    const promptTokens = tokensOf(turn)
    let first = 0
    let hasEnded = false
    const end = () => {
      hasEnded = true
      this.#engines.done(backend, flight)
      this.#policy?.ended?.(backend, request)
    }
    const blocks = blocksOfTurn(turn, this.#run.speed.blockTokens)
    const job = new EngineJob(promptTokens, answerTokens, blocks, (count, now) => {
      time.ms = Math.max(time.ms, now)
      if (count === 1) {
        first = now
        lease.answering(true)
        this.#policy?.begun?.(backend, request)
      }
      if (count < answerTokens) return
      end()
      const cachedTokens = job.cached
      if (routed !== undefined) gateway.tokens.learn(preparedPrompt(turn).size, promptTokens)
      lease.release('ok', { promptTokens, completionTokens: answerTokens, cachedTokens, reasoningTokens: null })
      const tpot = (now - first) / Math.max(1, answerTokens - 1)
      const { predictedMs } = gateway
      gateway.predictedMs = 0
      const engine = this.#backends.indexOf(backend)
      const of = { session: session.id, turn: sent.index, engine, predictedMs }
      this.#samples.push({ at, ttft: first - at, tpot, promptTokens, cachedTokens, ...of })
      sent.over()
    })
    const request = { session, job }
    const choose = routed?.choose ?? ((candidates: readonly Backend[]) => this.#policy!.choose(candidates, request))
    const backend = this.#pool.pick(this.#model, false, tried, choose)
    const lease = backend.acquire(routed?.place(backend))
    const flight: Flight = {
      job,
      broken: () => {
        hasEnded = true
        lease.release('neutral')
        this.#policy?.ended?.(backend, request)
        if (first === 0) return this.#retry(sent, backend)
        this.#lost++
        sent.over()
      },
    }
    if (this.#engines.submit(backend, flight, time.ms)) {
      this.#policy?.sent?.(backend, request)
      const cancelMs = this.#cancelMs(sent)
      if (cancelMs === undefined) return
      time.after(cancelMs, () => {
        if (hasEnded) return
        this.#engines.of(backend).cancel(job)
        end()
        lease.release('neutral')
        sent.over()
      })
      return
    }
    lease.release('neutral')
    backend.health.unreachable()
    this.#retry(sent, backend)
  }

  /** Time until the client disconnects, the same for all policies; undefined: it does not. */
  #cancelMs({ session, index, tried }: Sent): number | undefined {
    const { disturbance, times, seed } = this.#run
    if (disturbance?.cancelledShare === undefined || tried.size > 0) return undefined
    const random = seeded(hashed(`${seed} ${session.id} ${index}`))
    return random() < disturbance.cancelledShare ? (random() * (disturbance.cancelMs ?? 1000)) / times : undefined
  }

  #retry(sent: Sent, tried: Backend): void {
    sent.tried.add(tried)
    this.#dispatch(sent)
  }
}

function backendsOf({ engines, attentionTokens, disturbance }: VirtualRun) {
  const routing = {
    ...UNSET_ROUTING,
    ...(attentionTokens !== undefined && { attention_tokens: attentionTokens }),
  }
  return Array.from({ length: engines }, (_, i) => {
    const weight = (i === 0 ? disturbance?.first?.weight : undefined) ?? 1
    return backendConfig({ url: `http://e${i}/v1`, weight, routing })
  })
}
