/** Speed of an engine and size of its prefix cache. Times are milliseconds. */
export interface EngineSpeed {
  /** Fixed time of each step. */
  readonly overheadMs: number
  /** Time to read the weights: the minimum for the tokens of a step. */
  readonly weightsMs: number
  /** Time to compute a token. */
  readonly tokenMs: number
  /** Attention of one token to one earlier token. */
  readonly pairMs: number
  /** Time to read a token from the KV cache, per generating request. */
  readonly kvMs: number
  /** Maximum number of tokens per step (chunked prefill). */
  readonly stepTokens: number
  /** Maximum number of concurrent requests. */
  readonly batch: number
  /** Tokens per block. Only complete blocks are cached. */
  readonly blockTokens: number
  /** Size of the KV cache in tokens. */
  readonly cacheTokens: number
}

/**
 * A model of 8 billion parameters in bf16 on an H100: 30,000 prefill tokens per second, 160 tokens per second in a
 * single answer.
 */
export const H100_8B: EngineSpeed = {
  overheadMs: 1,
  weightsMs: 5,
  tokenMs: 1 / 30,
  pairMs: 1 / 30 / 32_000,
  kvMs: 5e-5,
  stepTokens: 8192,
  batch: 256,
  blockTokens: 128,
  cacheTokens: 420_000,
}

/** The engine with all times divided by `times`. */
export function faster(speed: EngineSpeed, times: number): EngineSpeed {
  const { overheadMs, weightsMs, tokenMs, pairMs, kvMs } = speed
  return {
    ...speed,
    overheadMs: overheadMs / times,
    weightsMs: weightsMs / times,
    tokenMs: tokenMs / times,
    pairMs: pairMs / times,
    kvMs: kvMs / times,
  }
}

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
   */
  cachedBlocks(blocks: readonly number[], withPending: boolean): number {
    const pending = withPending ? new Set(this.unanswered.flatMap(job => job.blocks)) : null
    const missing = blocks.findIndex(key => !this.#uses.has(key) && pending?.has(key) !== true)
    return missing < 0 ? blocks.length : missing
  }

  submit(job: EngineJob, now: number): void {
    this.#waiting.push(job)
    if (this.#stepEnd === Number.POSITIVE_INFINITY) this.#begin(now)
  }

  /** Removes a job whose client has disconnected. */
  cancel(job: EngineJob): void {
    const at = this.#waiting.indexOf(job)
    if (at >= 0) this.#waiting.splice(at, 1)
    else if (this.#running.includes(job)) this.#end(job)
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
        if (!this.#running.includes(job) || job.done < job.promptTokens) continue
        if (job.generated === 0) this.#cache(job)
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
      const used = this.#uses.size - this.#idle.size + this.#anonymous
      const revived = job.blocks.slice(0, cached).filter(key => this.#idle.has(key)).length
      if (used + revived + total - cached > capacity && this.#running.length > 0) return
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

  #use(key: number): void {
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
    this.#idle.delete(key)
  }

  #end(job: EngineJob): void {
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
