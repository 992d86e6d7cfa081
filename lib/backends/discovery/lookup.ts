import { type Found, LookupError, MOST_FOUND, type Source } from './source.ts'
import type { Rank } from './srv-ranks.ts'

type Ranks = ReadonlyMap<string, Rank>

const NONE: Ranks = new Map()

/** Shortest time between two looks that a time to live can cause. */
const LEAST_MS = 1000

export interface LookupOptions {
  readonly everyMs: number
  readonly leastMs?: number
  /** What is found has changed, or the problem has. */
  onChange(lookup: Lookup): void
}

/** One source that is looked at again and again. What it said last holds while it says nothing. */
export class Lookup {
  readonly #source: Source
  readonly #onChange: (lookup: Lookup) => void
  readonly #first = Promise.withResolvers<void>()
  readonly #leastMs: number
  #everyMs: number
  #found: readonly string[] = []
  #ranks: Ranks = NONE
  #problem: string | null = null
  #hasAnswered = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** Looks at once. */
  constructor(source: Source, { everyMs, leastMs = LEAST_MS, onChange }: LookupOptions) {
    this.#source = source
    this.#everyMs = everyMs
    this.#leastMs = leastMs
    this.#onChange = onChange
    void this.#look()
  }

  /** Base URLs, sorted. */
  get found(): readonly string[] {
    return this.#found
  }

  /** By base URL; one that has none is as good as the best. */
  get ranks(): Ranks {
    return this.#ranks
  }

  /** Why the last look found nothing, or not all; null: it went well. */
  get problem(): string | null {
    return this.#problem
  }

  /** There has been an answer. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Resolves when the first look has ended, well or not. */
  get first(): Promise<void> {
    return this.#first.promise
  }

  /** From the next look on. */
  set everyMs(ms: number) {
    this.#everyMs = ms
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#source.close()
    this.#first.resolve()
  }

  async #look(): Promise<void> {
    const found = await this.#source.look().catch(reasonOf)
    if (this.#isClosed) return
    if (typeof found === 'string') this.#failed(found)
    else this.#take(found)
    this.#first.resolve()
    const ttlMs = typeof found === 'string' ? null : found.ttlMs
    const waitMs = ttlMs === null ? this.#everyMs : Math.min(this.#everyMs, Math.max(ttlMs, this.#leastMs))
    this.#timer = setTimeout(() => void this.#look(), waitMs).unref()
  }

  #take({ urls, total, ranks = NONE }: Found): void {
    const problem = total > urls.length ? `${total} were found: only ${MOST_FOUND} are used` : null
    const isSame =
      this.#hasAnswered &&
      urls.length === this.#found.length &&
      urls.every((url, i) => url === this.#found[i]) &&
      isSameOf(ranks, this.#ranks)
    // The count of a hostile answer may differ each time.
    const wasSaid = problem === null ? this.#problem === null : this.#problem?.endsWith('are used') === true
    this.#found = urls
    this.#ranks = ranks
    this.#hasAnswered = true
    if (isSame && wasSaid) return
    this.#problem = problem
    this.#onChange(this)
  }

  #failed(reason: string): void {
    const problem = this.#hasAnswered ? `${reason}: the last answer is kept` : reason
    if (problem === this.#problem) return
    this.#problem = problem
    this.#onChange(this)
  }
}

function isSameOf(ranks: Ranks, others: Ranks): boolean {
  return JSON.stringify([...ranks].sort()) === JSON.stringify([...others].sort())
}

function reasonOf(error: unknown): string {
  return error instanceof LookupError ? error.message : 'it cannot be looked up'
}
