/** Reads what the metrics of backends have counted since the last reading. Requests cost nothing more. */
import type { Metrics } from '../base/metrics.ts'
import type { CountedColumn } from './minute.ts'

type Labels = Readonly<Record<string, string | number>>

export interface Counted {
  readonly model: string
  readonly backend: string
  readonly column: CountedColumn
  readonly more: number
}

export interface Ejection {
  readonly model: string
  readonly backend: string
  readonly reason: string
}

const REQUESTS = 'sluiceway_backend_requests_total'
const TOKENS = 'sluiceway_backend_tokens_total'
const EJECTIONS = 'sluiceway_backend_ejections_total'

const OUTCOMES: Readonly<Record<string, CountedColumn>> = {
  refused: 'refused',
  failed: 'failed',
  timeout: 'timeout',
  unreachable: 'unreachable',
  cancelled: 'cancelled',
}
const KINDS: Readonly<Record<string, CountedColumn>> = {
  input: 'input_tokens',
  output: 'output_tokens',
  cache_read: 'cached_tokens',
}

export class CounterReader {
  readonly #metrics: Metrics
  /** The last value of each series. */
  #last = new Map<string, number>()

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  async read(): Promise<{ readonly counted: readonly Counted[]; readonly ejections: readonly Ejection[] }> {
    const next = new Map<string, number>()
    const [requests, tokens, ejections] = await Promise.all(
      [REQUESTS, TOKENS, EJECTIONS].map(async name => {
        const metric = await this.#metrics.registry.getSingleMetric(name)?.get()
        return (metric?.values ?? []).flatMap(({ value, labels }) => {
          const own = labels as Labels
          const key = `${name} ${Object.values(own).join(' ')}`
          const last = this.#last.get(key)
          next.set(key, value)
          // The series of cached tokens says that the backend reports them, also if there are none.
          if (value === last && own.kind !== 'cache_read') return []
          // A backend that was removed and is back counts from zero.
          const more = last === undefined || value < last ? value : value - last
          return [{ model: String(own.model), backend: String(own.backend), labels: own, more }]
        })
      }),
    )
    this.#last = next
    const counted = requests!.flatMap(({ model, backend, labels, more }) => {
      const outcome = OUTCOMES[String(labels.outcome)]
      const all: Counted = { model, backend, column: 'requests', more }
      return outcome === undefined ? [all] : [all, { ...all, column: outcome }]
    })
    const used = tokens!.flatMap(({ model, backend, labels, more }) => {
      const column = KINDS[String(labels.kind)]
      return column === undefined ? [] : [{ model, backend, column, more }]
    })
    return {
      counted: [...counted, ...used],
      ejections: ejections!.map(({ model, backend, labels }) => ({ model, backend, reason: String(labels.reason) })),
    }
  }
}
