/** How fast an engine is, and how much its prefix cache holds. Times are milliseconds. */
export interface EngineSpeed {
  /** Of each step, beside its work. */
  readonly overheadMs: number
  /** Reading the weights: the least that the tokens of a step take. */
  readonly weightsMs: number
  /** Computing a token. */
  readonly tokenMs: number
  /** Attention of one token to one before it. */
  readonly pairMs: number
  /** Reading a token from the KV cache, for each answer that is generated. */
  readonly kvMs: number
  /** Tokens of prompts that are computed in one step (chunked prefill). */
  readonly stepTokens: number
  /** Requests that run at once. */
  readonly batch: number
  /** Tokens of a block. Only whole blocks are cached. */
  readonly blockTokens: number
  /** Tokens in the KV cache. */
  readonly cacheTokens: number
}

/** A model of 8 billion parameters in bf16 on an H100: 30,000 tokens of prefill a second, answers of one at 160. */
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

/** The same engine, with all times divided by `times`. */
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

/** A request in the engine. Its owner fills the first members; the others are the engine's. */
export class EngineJob {
  readonly promptTokens: number
  readonly answerTokens: number
  /** A key for each whole block of the prompt, which covers everything before it. */
  readonly blocks: readonly number[]
  /** Tokens have been generated: `count` of them so far, at this time. The first call tells that the prefill is done. */
  readonly onTokens: (count: number, at: number) => void
  /** Tokens of the prompt that were in the cache; set when the job is admitted. */
  cached = 0
  /** Tokens of the prompt that are computed or cached. */
  done = 0
  generated = 0
  /** Blocks of its answer. */
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
 * An inference engine in a time of its own: a cache of blocks with LRU that requests in flight share, admission in the order
 * of arrival when a prompt fits, chunked prefill beside the answers, one token of each answer a step. Its owner calls
 * advance() when `next` has come.
 */
export class EngineModel {
  readonly speed: EngineSpeed
  readonly #waiting: EngineJob[] = []
  readonly #running: EngineJob[] = []
  /** Uses of a block by jobs that run; 0: cached only. */
  readonly #uses = new Map<number, number>()
  /** Cached blocks that no job uses, least recently used first. */
  readonly #idle = new Set<number>()
  /** Blocks of answers and of prompts that end inside one. */
  #anonymous = 0
  /** The step that is under way: when it ends, and the tokens of prompts that it computes. */
  #stepEnd = Number.POSITIVE_INFINITY
  #stepWork: { readonly job: EngineJob; readonly tokens: number }[] = []
  #stepJobs: readonly EngineJob[] = []
  /** Tokens of prompts that were computed, not cached. */
  computed = 0

  constructor(speed: EngineSpeed) {
    this.speed = speed
  }

  /** When the step under way ends. */
  get next(): number {
    return this.#stepEnd
  }

  get running(): number {
    return this.#running.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Answers that are being generated. */
  get answers(): number {
    return this.#running.filter(job => job.generated > 0).length
  }

  get promptTokens(): number {
    return [...this.#running, ...this.#waiting].reduce((sum, job) => sum + job.promptTokens, 0)
  }

  /** Jobs whose prompts are not completely computed, in their order. */
  get unanswered(): readonly EngineJob[] {
    return [...this.#running.filter(job => job.generated === 0), ...this.#waiting]
  }

  /** Blocks at the start of a prompt that are cached, or being computed by a job before it. */
  cachedBlocks(blocks: readonly number[], andPending: boolean): number {
    const pending = andPending ? new Set(this.unanswered.flatMap(job => job.blocks)) : null
    const missing = blocks.findIndex(key => !this.#uses.has(key) && pending?.has(key) !== true)
    return missing < 0 ? blocks.length : missing
  }

  submit(job: EngineJob, now: number): void {
    this.#waiting.push(job)
    if (this.#stepEnd === Number.POSITIVE_INFINITY) this.#begin(now)
  }

  /** The client has gone. */
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
        if (job.generated === 0) this.#keep(job)
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

  /** The blocks of a prompt that has been computed are in the cache. */
  #keep(job: EngineJob): void {
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
    // The end of a prompt falls out before its start.
    for (let i = used - 1; i >= 0; i--) {
      const key = job.blocks[i]!
      const uses = this.#uses.get(key)! - 1
      this.#uses.set(key, uses)
      if (uses === 0) this.#idle.add(key)
    }
  }
}
