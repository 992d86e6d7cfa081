/**
 * The rule of NVIDIA Dynamo's KV router with exact events and its default configuration: the lowest sum of
 * overlap_score_weight (1) times the blocks to be computed, and the blocks in use, at temperature 0. Written from
 * lib/llm/src/kv_router (scheduler.rs, sequence.rs) and the documentation of ai-dynamo/dynamo v0.9.
 */
import type { Backend } from '../../../lib/backends/pool.ts'
import { lowest, type PolicyContext, type PolicyRequest, type RunningPolicy } from './policy.ts'

const OVERLAP_WEIGHT = 1

/** What the router counts of one engine: it sees all requests, and their first tokens. */
class Worker {
  /** Tokens to be computed, of requests without a first token. */
  prefillTokens = 0
  /** Number of requests in flight per block of their prompts, and per end of a prompt that is no complete block. */
  readonly #uses = new Map<number | PolicyRequest, number>()

  /** Blocks in use if the request was sent to this engine. */
  blocksWith(request: PolicyRequest): number {
    let added = 0
    for (const key of keysOf(request)) if (!this.#uses.has(key)) added++
    return this.#uses.size + added
  }

  add(request: PolicyRequest, change: 1 | -1): void {
    for (const key of keysOf(request)) {
      const uses = (this.#uses.get(key) ?? 0) + change
      if (uses === 0) this.#uses.delete(key)
      else this.#uses.set(key, uses)
    }
  }
}

export function dynamo({ engines, random }: PolicyContext): RunningPolicy {
  const workers = new Map<Backend, Worker>()
  /** Tokens to be computed of the requests without a first token. */
  const prefills = new Map<PolicyRequest, number>()
  const workerOf = (backend: Backend): Worker => {
    let worker = workers.get(backend)
    if (worker === undefined) {
      worker = new Worker()
      workers.set(backend, worker)
    }
    return worker
  }
  /** Tokens that are not cached now. Events report blocks when they have been computed. */
  const newTokens = (backend: Backend, { job }: PolicyRequest) => {
    const engine = engines.of(backend)
    return job.promptTokens - engine.cachedBlocks(job.blocks, false) * engine.speed.blockTokens
  }
  const computed = (backend: Backend, request: PolicyRequest) => {
    workerOf(backend).prefillTokens -= prefills.get(request) ?? 0
    prefills.delete(request)
  }
  return {
    choose: (candidates, request) =>
      lowest(candidates, random, backend => {
        const worker = workerOf(backend)
        const { blockTokens } = engines.of(backend).speed
        const prefillBlocks = (worker.prefillTokens + newTokens(backend, request)) / blockTokens
        return OVERLAP_WEIGHT * prefillBlocks + worker.blocksWith(request)
      }),
    sent(backend, request) {
      const tokens = newTokens(backend, request)
      prefills.set(request, tokens)
      workerOf(backend).prefillTokens += tokens
      workerOf(backend).add(request, 1)
    },
    begun: computed,
    ended(backend, request) {
      computed(backend, request)
      workerOf(backend).add(request, -1)
    },
  }
}

function* keysOf(request: PolicyRequest): Iterable<number | PolicyRequest> {
  yield* request.job.blocks
  yield request
}
