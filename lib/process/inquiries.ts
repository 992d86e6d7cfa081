import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { addressOf } from '../backends/backend.ts'
import { type SeenBackend, seenBackends, seenEmpty } from '../backends/backend-list.ts'
import type { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import type { BackendConfig, ModelConfig } from '../config/config.ts'
import { correctedModel, type ServerFacts } from '../engines/probe/correction.ts'
import { judge, listModels } from '../engines/probe/inquiry.ts'

const TIMEOUT_MS = 10_000

/** How often backends with a problem are asked again. */
const EVERY_MS = 30_000

interface InquiryOptions {
  readonly log: Logger
  readonly everyMs?: number
  /** Servers report other facts than before: corrected() may have other results. */
  readonly onFacts?: () => void
}

/** A model at one of its backends. */
interface ServedModel {
  readonly model: ModelConfig
  readonly backend: BackendConfig
  /** undefined: the backend has not answered yet. */
  problem: string | null | undefined
  facts: ServerFacts
}

/**
 * Asks each backend at the start and after a reload whether it serves its model, and again until it does.
 * A wrong name, key or path fails every request, although the health check succeeds. A wrong engine or window is
 * replaced by what the server reports.
 */
export class Inquiries {
  readonly #log: Logger
  readonly #onFacts: () => void
  readonly #timer: NodeJS.Timeout
  #round = new AbortController()
  /** By model, address, key and headers. */
  #served: ReadonlyMap<string, ServedModel> = new Map()

  constructor({ log, everyMs = EVERY_MS, onFacts = () => {} }: InquiryOptions) {
    this.#log = log
    this.#onFacts = onFacts
    this.#timer = setInterval(() => this.#askAgain(), everyMs).unref()
  }

  /** Asks every backend of these models. */
  update(models: readonly ModelConfig[]): void {
    this.#round.abort()
    this.#round = new AbortController()
    const before = this.#served
    this.#served = new Map(
      models.flatMap(model =>
        model.backends.map(backend => {
          const key = keyOf(model, backend)
          const { problem, facts = {} } = before.get(key) ?? {}
          return [key, { model, backend, problem, facts }] as const
        }),
      ),
    )
    this.#askAll([...this.#served.values()])
  }

  /** Why a backend at this address does not serve the model; null: no problem is known. */
  problem(model: string, address: string): string | null {
    for (const { model: of, backend, problem } of this.#served.values())
      if (problem != null && of.id === model && addressOf(backend.url) === address) return problem
    return null
  }

  /** The model as its servers report it. */
  corrected(model: ModelConfig): ModelConfig {
    const facts = model.backends.map(backend => this.#served.get(keyOf(model, backend))?.facts ?? {})
    return correctedModel(model, facts)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#round.abort()
    this.#served = new Map()
  }

  #askAgain(): void {
    this.#askAll([...this.#served.values()].filter(({ problem }) => problem !== null))
  }

  /** Sends one request to each server, because a server may have a thousand models. */
  #askAll(all: readonly ServedModel[]): void {
    for (const ofServer of Map.groupBy(all, ({ backend }) => serverKeyOf(backend)).values()) void this.#ask(ofServer)
  }

  async #ask(ofServer: readonly ServedModel[]): Promise<void> {
    const { signal } = this.#round
    try {
      const reply = await listModels(ofServer[0]!.backend, { timeoutMs: TIMEOUT_MS, signal })
      if (signal.aborted) return
      let isNew = false
      for (const served of ofServer) {
        const { problem, facts } = judge(served.model, served.backend, reply)
        this.#note(served, problem)
        // A server that does not answer is assumed to be the same as before.
        if (reply.status === 0 || isDeepStrictEqual(facts, served.facts)) continue
        served.facts = facts
        isNew = true
      }
      if (isNew) this.#onFacts()
    } catch {
      // listModels() rejects only if update() or close() has aborted this round.
    }
  }

  #note(served: ServedModel, problem: string | null): void {
    if (problem === served.problem) return
    const before = served.problem
    served.problem = problem
    const facts = { model: served.model.id, backend: addressOf(served.backend.url) }
    if (problem !== null) this.#log.warn({ ...facts, problem }, `a backend ${problem}`)
    else if (before !== undefined) this.#log.info(facts, 'a backend serves its model as configured')
  }
}

function keyOf({ id }: ModelConfig, backend: BackendConfig): string {
  return JSON.stringify([id, backend.model, serverKeyOf(backend)])
}

function serverKeyOf({ url, engine, api_key, headers, tls, proxy }: BackendConfig): string {
  return JSON.stringify([url, engine, api_key ?? null, Object.entries(headers), tls ?? null, proxy ?? null])
}

/** The backends of all processes with their problems, and the discovery sources that found no backend. */
export function seenByAll(
  processes: readonly (readonly ModelSnapshot[])[],
  inquiries: Pick<Inquiries, 'problem'>,
  discovery: Pick<ServiceDiscovery, 'problem' | 'empty'>,
): SeenBackend[] {
  const problemOf = (model: string, url: string) => {
    const problems = [inquiries.problem(model, url), discovery.problem(model, url)].filter(problem => problem !== null)
    return problems.length === 0 ? null : problems.join('; ')
  }
  return [...seenBackends(processes, problemOf), ...seenEmpty(discovery.empty())]
}
