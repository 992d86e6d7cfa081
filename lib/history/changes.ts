/** Events of backends: what metrics count, and what differs from the last look. */
import type { BackendState } from '../backends/backend.ts'
import type { BackendEvent } from '../store/history-columns.ts'
import type { Sample } from './minute.ts'

/** Events between two writes; further ones are not kept. */
const MAX_EVENTS = 1000

const DOWN: ReadonlySet<BackendState | null> = new Set(['ejected', 'probing', 'unhealthy'])

export class Changes {
  #events: BackendEvent[] = []
  /** By model and backend. */
  #last = new Map<string, Sample>()

  add(event: BackendEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event)
  }

  /** `at`: microseconds since the epoch. */
  see(all: readonly Sample[], at: number): void {
    const next = new Map<string, Sample>()
    for (const seen of all) {
      const { model, backend, state, cordon } = seen
      if (state === null) continue
      const key = `${model} ${backend}`
      next.set(key, seen)
      const last = this.#last.get(key)
      if (last === undefined) continue
      const of = { model, backend, at }
      if (DOWN.has(last.state) && state === 'up') this.add({ kind: 'readmitted', reason: '', ...of })
      // The audit log has the drains of operators.
      const reasons = [cordon, last.cordon].filter(reason => reason !== null)
      if (cordon === last.cordon || reasons.includes('operator')) continue
      this.add({ kind: cordon === null ? 'undrain' : 'drain', reason: cordon ?? last.cordon!, ...of })
    }
    this.#last = next
  }

  take(): readonly BackendEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
