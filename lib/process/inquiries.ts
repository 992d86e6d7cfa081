import type { Logger } from 'pino'
import { addressOf } from '../backends/backend.ts'
import type { BackendConfig, ModelConfig } from '../config/config.ts'
import { judge, listModels } from '../engines/probe/inquiry.ts'

const TIMEOUT_MS = 10_000
/** How often backends with a problem are asked again. */
const EVERY_MS = 30_000

export interface InquiryOptions {
  readonly log: Logger
  readonly everyMs?: number
}

interface Asked {
  readonly model: ModelConfig
  readonly backend: BackendConfig
  /** undefined: it has not answered yet. */
  problem: string | null | undefined
}

/**
 * Asks each backend in the background whether it serves its model, at the start and after each reload: a wrong name, key or
 * path fails every request, while the health route answers well. Those with a problem are asked again until they have none.
 */
export class Inquiries {
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  #round = new AbortController()
  /** By model, address, key and headers. */
  #asked: ReadonlyMap<string, Asked> = new Map()

  constructor({ log, everyMs = EVERY_MS }: InquiryOptions) {
    this.#log = log
    this.#timer = setInterval(() => this.#askAgain(), everyMs).unref()
  }

  /** Asks every backend of these models. */
  update(models: readonly ModelConfig[]): void {
    this.#round.abort()
    this.#round = new AbortController()
    const before = this.#asked
    this.#asked = new Map(
      models.flatMap(model =>
        model.backends.map(backend => {
          const key = keyOf(model, backend)
          return [key, { model, backend, problem: before.get(key)?.problem }] as const
        }),
      ),
    )
    this.#askAll([...this.#asked.values()])
  }

  /** What keeps the backends of a model at an address from serving it, as far as is known. */
  problem(model: string, address: string): string | null {
    for (const { model: of, backend, problem } of this.#asked.values())
      if (problem != null && of.id === model && addressOf(backend.url) === address) return problem
    return null
  }

  close(): void {
    clearInterval(this.#timer)
    this.#round.abort()
    this.#asked = new Map()
  }

  #askAgain(): void {
    this.#askAll([...this.#asked.values()].filter(({ problem }) => problem !== null))
  }

  /** One request to each server: a server may have a thousand models. */
  #askAll(all: readonly Asked[]): void {
    for (const ofServer of Map.groupBy(all, ({ backend }) => serverKeyOf(backend)).values()) void this.#ask(ofServer)
  }

  async #ask(ofServer: readonly Asked[]): Promise<void> {
    const { signal } = this.#round
    try {
      const reply = await listModels(ofServer[0]!.backend, { timeoutMs: TIMEOUT_MS, signal })
      if (signal.aborted) return
      for (const asked of ofServer) this.#note(asked, judge(asked.model, asked.backend, reply).problem)
    } catch {
      // Only the abort of the round: the next one asks again.
    }
  }

  #note(asked: Asked, problem: string | null): void {
    if (problem === asked.problem) return
    const was = asked.problem
    asked.problem = problem
    const facts = { model: asked.model.id, backend: addressOf(asked.backend.url) }
    if (problem !== null) this.#log.warn({ ...facts, problem }, `a backend ${problem}`)
    else if (was !== undefined) this.#log.info(facts, 'a backend serves its model again')
  }
}

function keyOf({ id }: ModelConfig, backend: BackendConfig): string {
  return JSON.stringify([id, backend.model, serverKeyOf(backend)])
}

function serverKeyOf({ url, api_key, headers }: BackendConfig): string {
  return JSON.stringify([url, api_key ?? null, Object.entries(headers)])
}
