/** The policies in front of modelled engines, in virtual time: what is measured is the decision alone. */
import type { Clock } from '../../lib/base/clock.ts'
import type { ModelConfig } from '../../lib/config/config.ts'
import { promptSize } from '../../lib/tokens/prompt-size.ts'
import { ModelTokens } from '../../lib/tokens/token-ratios.ts'
import type { Backend } from '../../lib/upstream/pool.ts'
import { BackendPool } from '../../lib/upstream/pool.ts'
import { prefillWork } from '../../lib/upstream/routing/backend-speed.ts'
import { hashKey } from '../../lib/upstream/routing/chunk-hash.ts'
import { leastLoad } from '../../lib/upstream/routing/least-load.ts'
import { ModelRouting, type RoutingObserver } from '../../lib/upstream/routing/model-routing.ts'
import { promptOf } from '../../lib/upstream/routing/prompt.ts'
import { EngineJob, EngineModel, type EngineSpeed } from '../../simulator/engine-model.ts'
import { blocksOf } from '../../simulator/timed-engine.ts'
import { backendConfig } from '../../test/support/backend-config.ts'
import { chatRequest, model as modelConfig } from '../../test/support/canonical.ts'
import { type Result, resultOf, type Sample } from './result.ts'
import { messagesOf, textOf } from './text.ts'
import { type Session, seeded } from './workloads.ts'

export const VIRTUAL_POLICIES = ['cost', 'least_load', 'session', 'oracle'] as const
export type VirtualPolicy = (typeof VIRTUAL_POLICIES)[number]

export interface VirtualRun {
  readonly policy: VirtualPolicy
  readonly sessions: readonly Session[]
  readonly engines: number
  readonly speed: EngineSpeed
  readonly times: number
  readonly seed: number
  /** Gateways that share nothing: how many, and whether a session stays at one. Default: one. */
  readonly gateways?: { readonly count: number; readonly sticky: boolean }
}

const SILENT: RoutingObserver = { decided() {}, cached() {}, firstToken() {}, placed() {}, changed() {} }

class VirtualClock implements Clock {
  ms = 0
  now = () => this.ms
  micros = () => this.ms * 1000
  monotonic = () => this.ms
}

interface Arrival {
  readonly at: number
  readonly session: Session
  readonly turn: number
}

export function runVirtual(run: VirtualRun): Result {
  const { policy, sessions, speed, times } = run
  const clock = new VirtualClock()
  const random = seeded(run.seed)
  const configs = Array.from({ length: run.engines }, (_, i) => backendConfig({ url: `http://e${i}/v1` }))
  const model: ModelConfig = modelConfig({}, { backends: configs })
  const pool = new BackendPool([model], clock, { health: null })
  const engines = configs.map(() => new EngineModel(speed))
  const indexOf = (backend: Backend) => configs.indexOf(backend.config)
  const { count, sticky } = run.gateways ?? { count: 1, sticky: false }
  const tokens = new ModelTokens()
  const gateways = Array.from({ length: count }, () => new ModelRouting('m', clock, tokens, SILENT, random))
  const gatewayOf = (id: string) => gateways[sticky ? hashed(`at ${id}`) % count : Math.floor(random() * count)]!
  const key = hashKey(new Uint8Array(16).map((_, i) => i * 7 + 1))
  const arrivals: Arrival[] = sessions.map(session => ({ at: session.at / times, session, turn: 0 }))
  const samples: Sample[] = []
  const rate = 1 / speed.tokenMs

  const oracle = (candidates: readonly Backend[], job: EngineJob): Backend => {
    const mean = 0
    let best: Backend | undefined
    let least = Number.POSITIVE_INFINITY
    for (const backend of candidates) {
      const engine = engines[indexOf(backend)]!
      const known = Math.min(engine.cachedBlocks(job.blocks, true) * speed.blockTokens, job.promptTokens - 1)
      let wait = 0
      for (const other of engine.unanswered) {
        const done = Math.max(
          other.done,
          Math.min(engine.cachedBlocks(other.blocks, false) * speed.blockTokens, other.promptTokens - 1),
        )
        wait += prefillWork(done, other.promptTokens) / rate
      }
      const step = speed.overheadMs + speed.weightsMs
      const cost =
        wait +
        prefillWork(known, job.promptTokens) / rate +
        0.625 * step * engine.answers +
        3 * speed.kvMs * engine.promptTokens +
        mean
      if (cost < least || (cost === least && random() < 0.5)) {
        least = cost
        best = backend
      }
    }
    return best!
  }

  const begin = ({ session, turn }: Arrival) => {
    const { pieces, answerTokens } = session.turns[turn]!
    const now = clock.ms
    const promptTokens = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    let first = 0
    const job = new EngineJob(
      promptTokens,
      answerTokens,
      blocksOf(pieces.map(({ id, tokens }) => textOf(id, tokens)).join(''), speed.blockTokens),
      (count, at) => {
        clock.ms = Math.max(clock.ms, at)
        if (count === 1) {
          first = at
          placement?.begun()
        }
        if (count < answerTokens) return
        lease.release('ok')
        tokens.learn(size, promptTokens)
        placement?.ended({
          promptTokens,
          completionTokens: answerTokens,
          cachedTokens: job.cached,
          reasoningTokens: null,
        })
        samples.push({
          at: now,
          ttft: first - now,
          tpot: (at - first) / Math.max(1, answerTokens - 1),
          promptTokens,
          cachedTokens: job.cached,
        })
        const next = turn + 1
        if (next < session.turns.length) insert({ at: at + session.pauses[next - 1]! / times, session, turn: next })
      },
    )
    const request = chatRequest({ messages: messagesOf(session.turns[turn]!), stream: true })
    const size = promptSize(request)
    const routed =
      policy === 'cost'
        ? gatewayOf(session.id).route(
            promptOf(request, {
              key,
              seed: 'm',
              session: undefined,
              systemFirst: false,
              isPrivate: false,
            }),
          )
        : undefined
    const choose = (candidates: readonly Backend[]): Backend => {
      if (policy === 'oracle') return oracle(candidates, job)
      if (policy === 'session') return candidates[hashed(session.id) % candidates.length]!
      return leastLoad(candidates, random)
    }
    const backend = pool.pick(model, false, undefined, routed?.choose ?? choose)
    const lease = backend.acquire()
    const placement = routed?.place(backend)
    engines[indexOf(backend)]!.submit(job, now)
  }

  const insert = (arrival: Arrival) => {
    let at = arrivals.length
    while (at > 0 && arrivals[at - 1]!.at > arrival.at) at--
    arrivals.splice(at, 0, arrival)
  }

  for (;;) {
    let next = arrivals[0]?.at ?? Number.POSITIVE_INFINITY
    let engine: EngineModel | undefined
    for (const one of engines) {
      if (one.next >= next) continue
      next = one.next
      engine = one
    }
    if (next === Number.POSITIVE_INFINITY) break
    clock.ms = next
    if (engine === undefined) begin(arrivals.shift()!)
    else engine.advance(next)
  }
  return resultOf(
    samples,
    engines.map(engine => engine.computed),
    times,
  )
}

function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
