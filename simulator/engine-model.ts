import type { EngineSpeed } from './engine-speed.ts'

/** A request in the engine. The caller sets the readonly members, the engine sets the others. */
export class EngineJob {
  readonly promptTokens: number
  readonly answerTokens: number
  /** A key per complete block of the prompt. The key covers the prompt up to the end of the block. */
  readonly blocks: readonly number[]
  /**
   * Called for each generated token, with their number so far and the time. The first call is the end of the prefill.
   */
  readonly onTokens: (count: number, at: number) => void
  /** Number of prompt tokens from the cache; set on admission. */
  cached = 0
  /** Number of prompt tokens that are computed or cached. */
  done = 0
  generated = 0
  isRunning = false
  /** Number of blocks for the answer, and for the end of the prompt. */
  extra = 0

  constructor(
    promptTokens: number,
    answerTokens: number,
    blocks: readonly number[],
    onTokens: (count: number, at: number) => void,
  ) {
    this.promptTokens = promptTokens
    this.answerTokens = answerTokens
    this.blocks = blocks
    this.onTokens = onTokens
  }
}

/**
 * A model of an inference engine in simulated time. Requests share a block cache with LRU eviction. They are admitted
 * in the order of arrival if their prompts fit. Each step generates one token per answer and computes a chunk of
 * prefill. The caller calls advance() at the time `next`.
 */
export class EngineModel {
  readonly speed: EngineSpeed
  readonly #waiting: EngineJob[] = []
  readonly #running: EngineJob[] = []
  /** Number of running jobs per cached block; 0: cached only. */
  readonly #uses = new Map<number, number>()
  /** Unused cached blocks, least recently used first. */
  readonly #idle = new Set<number>()
  /** Number of jobs without a complete prefill, per block of their prompts. */
  readonly #pending = new Map<number, number>()
  /** Number of blocks that are not cached: those of answers, and incomplete ones of prompts. */
  #anonymous = 0
  /** The end of the current step, and the prompt tokens that it computes. */
  #stepEnd = Number.POSITIVE_INFINITY
  #stepWork: { readonly job: EngineJob; readonly tokens: number }[] = []
  #stepJobs: readonly EngineJob[] = []
  /** Total number of prompt tokens that were computed. */
  computed = 0

  constructor(speed: EngineSpeed) {
    this.speed = speed
  }

  /** The end of the current step; infinite: idle. */
  get next(): number {
    return this.#stepEnd
  }

  get running(): number {
    return this.#running.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Requests of which no step has computed a token, as engines report it; those of the current step do not count. */
  get unscheduled(): number {
    const started = new Set(this.#stepWork.map(({ job }) => job))
    return this.unanswered.filter(job => (!job.isRunning || job.done === job.cached) && !started.has(job)).length
  }

  /** Number of requests that are generating. */
  get answers(): number {
    return this.#running.filter(job => job.generated > 0).length
  }

  get promptTokens(): number {
    return [...this.#running, ...this.#waiting].reduce((sum, job) => sum + job.promptTokens, 0)
  }

  /** Jobs without a complete prefill, in order. */
  get unanswered(): readonly EngineJob[] {
    return [...this.#running.filter(job => job.generated === 0), ...this.#waiting]
  }

  /**
   * Number of blocks at the start of a prompt that are cached. `withPending`: also blocks that earlier jobs compute.
   * Before a cached block, all blocks are cached, because the end of a prompt is evicted before its start.
   */
  cachedBlocks(blocks: readonly number[], withPending: boolean): number {
    return countWhile(blocks, key => this.#uses.has(key) || (withPending && this.#pending.has(key)))
  }

  /** Part of the KV cache that requests in flight use, 0 to 1. */
  get cacheUse(): number {
    const { blockTokens, cacheTokens } = this.speed
    return (this.#usedBlocks * blockTokens) / cacheTokens
  }

  /** Empties the cache, except for what requests in flight use. */
  dropCache(): void {
    for (const key of this.#idle) this.#uses.delete(key)
    this.#idle.clear()
  }

  submit(job: EngineJob, now: number): void {
    this.#waiting.push(job)
    for (const key of job.blocks) this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
    if (this.#stepEnd === Number.POSITIVE_INFINITY) this.#begin(now)
  }

  /** Removes a job whose client has disconnected. */
  cancel(job: EngineJob): void {
    const at = this.#waiting.indexOf(job)
    if (at < 0 && !job.isRunning) return
    if (job.generated === 0) this.#forget(job)
    if (at >= 0) this.#waiting.splice(at, 1)
    else this.#end(job)
  }

  /** Ends all steps up to `now`. */
  advance(now: number): void {
    while (this.#stepEnd <= now) {
      const at = this.#stepEnd
      for (const { job, tokens } of this.#stepWork) {
        job.done += tokens
        this.computed += tokens
      }
      for (const job of this.#stepJobs) {
        if (!job.isRunning || job.done < job.promptTokens) continue
        if (job.generated === 0) {
          this.#forget(job)
          this.#cache(job)
        }
        job.generated++
        if (job.generated >= job.answerTokens) this.#end(job)
        job.onTokens(job.generated, at)
      }
      this.#stepEnd = Number.POSITIVE_INFINITY
      this.#begin(at)
    }
  }

  #begin(now: number): void {
    this.#admit()
    if (this.#running.length === 0) return
    const { overheadMs, weightsMs, tokenMs, pairMs, kvMs, stepTokens } = this.speed
    let tokens = 0
    let pairs = 0
    let read = 0
    const work: { job: EngineJob; tokens: number }[] = []
    for (const job of this.#running) {
      if (job.done < job.promptTokens) continue
      tokens++
      read += job.promptTokens + job.generated
    }
    for (const job of this.#running) {
      const left = Math.min(job.promptTokens - job.done, stepTokens - tokens)
      if (left <= 0) continue
      work.push({ job, tokens: left })
      tokens += left
      pairs += left * (job.done + left / 2)
    }
    const ms = overheadMs + Math.max(weightsMs, tokens * tokenMs) + pairs * pairMs + read * kvMs
    this.#stepWork = work
    this.#stepJobs = [...this.#running]
    this.#stepEnd = now + ms
  }

  #admit(): void {
    const { batch, blockTokens, cacheTokens } = this.speed
    const capacity = Math.floor(cacheTokens / blockTokens)
    while (this.#running.length < batch) {
      const job = this.#waiting[0]
      if (job === undefined) return
      const cached = this.cachedBlocks(job.blocks, false)
      const total = Math.ceil((job.promptTokens + job.answerTokens) / blockTokens)
      // Requests that use a block use all blocks before it: the unused ones are the last.
      const revived = cached - countWhile(job.blocks, (key, i) => i < cached && !this.#idle.has(key))
      if (this.#usedBlocks + revived + total - cached > capacity && this.#running.length > 0) return
      this.#waiting.shift()
      for (let i = 0; i < cached; i++) this.#use(job.blocks[i]!)
      job.extra = total - cached
      this.#anonymous += job.extra
      const over = this.#uses.size + this.#anonymous - capacity
      let evicted = 0
      for (const key of this.#idle) {
        if (evicted++ >= over) break
        this.#idle.delete(key)
        this.#uses.delete(key)
      }
      // The last token is always computed.
      job.cached = Math.min(cached * blockTokens, job.promptTokens - 1)
      job.done = job.cached
      job.isRunning = true
      this.#running.push(job)
    }
  }

  /** Adds the blocks of a computed prompt to the cache. */
  #cache(job: EngineJob): void {
    for (let i = Math.ceil(job.cached / this.speed.blockTokens); i < job.blocks.length; i++) {
      const key = job.blocks[i]!
      if (!this.#uses.has(key)) {
        job.extra--
        this.#anonymous--
      }
      this.#use(key)
    }
  }

  get #usedBlocks(): number {
    return this.#uses.size - this.#idle.size + this.#anonymous
  }

  /** The job's prefill is complete, or will not be. */
  #forget(job: EngineJob): void {
    for (const key of job.blocks) {
      const left = this.#pending.get(key)! - 1
      if (left === 0) this.#pending.delete(key)
      else this.#pending.set(key, left)
    }
  }

  #use(key: number): void {
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
    this.#idle.delete(key)
  }

  #end(job: EngineJob): void {
    job.isRunning = false
    this.#running.splice(this.#running.indexOf(job), 1)
    this.#anonymous -= job.extra
    const used = job.generated > 0 ? job.blocks.length : Math.ceil(job.cached / this.speed.blockTokens)
    // The end of a prompt is evicted before its start.
    for (let i = used - 1; i >= 0; i--) {
      const key = job.blocks[i]!
      const uses = this.#uses.get(key)! - 1
      this.#uses.set(key, uses)
      if (uses === 0) this.#idle.add(key)
    }
  }
}

/** The number of keys before the first one that does not match. All keys after that one must not match either. */
function countWhile(keys: readonly number[], matches: (key: number, index: number) => boolean): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (matches(keys[middle]!, middle)) low = middle + 1
    else high = middle
  }
  return low
}
