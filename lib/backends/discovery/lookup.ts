import { LookupError, type LookupResult, MAX_BACKENDS, type Rank, type Source } from './source.ts'

type Ranks = ReadonlyMap<string, Rank>

const NONE: Ranks = new Map()

/** Minimum time between two lookups, for records with a short time to live. */
const MIN_MS = 1000

interface LookupOptions {
  readonly everyMs: number
  readonly minMs?: number
  onChange(lookup: Lookup): void
}

/** Looks up one source periodically. The last result is kept while lookups fail. */
export class Lookup {
  readonly #source: Source
  readonly #onChange: (lookup: Lookup) => void
  readonly #first = Promise.withResolvers<void>()
  readonly #minMs: number
  #everyMs: number
  #urls: readonly string[] = []
  #ranks: Ranks = NONE
  #problem: string | null = null
  #hasAnswered = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(source: Source, { everyMs, minMs = MIN_MS, onChange }: LookupOptions) {
    this.#source = source
    this.#everyMs = everyMs
    this.#minMs = minMs
    this.#onChange = onChange
    void this.#lookup()
  }

  get urls(): readonly string[] {
    return this.#urls
  }

  /** By base URL. A backend without a rank is a first choice with the mean weight. */
  get ranks(): Ranks {
    return this.#ranks
  }

  /** Why the last lookup failed, or is incomplete; null: it succeeded. */
  get problem(): string | null {
    return this.#problem
  }

  /** A lookup has succeeded. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Resolves when the first lookup has succeeded or failed. */
  get first(): Promise<void> {
    return this.#first.promise
  }

  /** Applies after the next lookup. */
  set everyMs(ms: number) {
    this.#everyMs = ms
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#source.close()
    this.#first.resolve()
  }

  async #lookup(): Promise<void> {
    const result = await this.#source.lookup().catch(reasonOf)
    if (this.#isClosed) return
    if (typeof result === 'string') this.#failed(result)
    else this.#succeeded(result)
    this.#first.resolve()
    const ttlMs = typeof result === 'string' ? null : result.ttlMs
    const waitMs = ttlMs === null ? this.#everyMs : Math.min(this.#everyMs, Math.max(ttlMs, this.#minMs))
    this.#timer = setTimeout(() => void this.#lookup(), waitMs).unref()
  }

  #succeeded({ urls, total, ranks = NONE }: LookupResult): void {
    const problem = total > urls.length ? `${total} were found: only ${MAX_BACKENDS} are used` : null
    const isSameResult =
      this.#hasAnswered &&
      urls.length === this.#urls.length &&
      urls.every((url, i) => url === this.#urls[i]) &&
      areSame(ranks, this.#ranks)
    // The number in the problem is ignored: in the answers of an attacker it may differ each time.
    const isSameProblem = problem === null ? this.#problem === null : this.#problem?.endsWith('are used') === true
    this.#urls = urls
    this.#ranks = ranks
    this.#hasAnswered = true
    if (isSameResult && isSameProblem) return
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

function areSame(ranks: Ranks, others: Ranks): boolean {
  return JSON.stringify([...ranks].sort()) === JSON.stringify([...others].sort())
}

function reasonOf(error: unknown): string {
  return error instanceof LookupError ? error.message : 'it cannot be looked up'
}
