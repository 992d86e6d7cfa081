/** What a gateway knows of itself, for operators. */
import packageJson from '../../package.json' with { type: 'json' }
import type { ProcessState, Reload } from '../admin/status.ts'
import { systemClock } from '../base/clock.ts'
import type { MetricsSource, Readiness } from '../http/admin.ts'

export interface StateParts {
  readonly readiness: Readiness
  readonly metrics: Pick<MetricsSource, 'metrics'>
  /** Ids of the processes that serve clients. */
  pids(): readonly number[]
}

export class GatewayState {
  readonly #file: string | undefined
  readonly #parts: StateParts
  readonly #startedAt = systemClock.now()
  #lastReload: Reload | undefined

  /** `file`: where the configuration comes from. */
  constructor(file: string | undefined, parts: StateParts) {
    this.#file = file
    this.#parts = parts
  }

  /** A reload has ended. `problems`: sentences; empty: it was applied. */
  noteReload(problems: readonly string[]): void {
    this.#lastReload = { at: systemClock.now(), problems }
  }

  async read(): Promise<ProcessState> {
    return {
      version: packageJson.version,
      startedAt: this.#startedAt,
      pids: this.#parts.pids(),
      file: this.#file,
      lastReload: this.#lastReload,
      unready: this.#parts.readiness(),
      metrics: await this.#parts.metrics.metrics(),
    }
  }
}
