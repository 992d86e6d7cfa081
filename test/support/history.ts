/** A history of backends in the store of a running gateway. */
import { join } from 'node:path'
import { systemClock } from '../../lib/base/clock.ts'
import { addBackendEvents } from '../../lib/store/backend-events.ts'
import { addBackendMinutes, sumBackendHours } from '../../lib/store/backend-minutes.ts'
import type { BackendMinute } from '../../lib/store/history-columns.ts'
import { openStore } from '../../lib/store/store.ts'
import { backendMinute } from './backend-minutes.ts'
import type { TestGateway } from './gateway.ts'
import { silent } from './stores.ts'

/** Writes two hours of minutes for a model `m` and its backend, with a gap, an ejection and a reload. */
export async function writeHistory({ dir }: Pick<TestGateway, 'dir'>, backend: string): Promise<void> {
  const store = await openStore(`sqlite:${join(dir, 'store.db')}`, { log: silent })
  const minute = Math.floor(systemClock.now() / 60_000)
  const at = (minute - 20) * 60_000_000
  const parts = Array.from({ length: 120 }, (_, i) => {
    const one: Partial<BackendMinute> = { backend, minute: minute - 1 - i, requests: 10 + i, up_ms: 60_000 }
    const load = { in_flight_ms: 120_000, in_flight_max: 4, capacity: 8, fill_ms: 30_000, fill_known_ms: 60_000 }
    const times = { ttft_4: 5, ttft_6: 5, pace_7: 9, predictions: 2, predicted_ms: 200, measured_ms: 260 }
    const tokens = { input_tokens: 600, cached_tokens: 150, output_tokens: 60 }
    const down = i === 19 ? { up_ms: 30_000, ejected_ms: 30_000, failed: 3, timeout: 1 } : {}
    const own = { ...load, backend: '', minute: one.minute!, queue_ms: 60_000, queue_max: 3, turned_away: 1 }
    // Nothing is known of half an hour.
    return i >= 30 && i < 60 ? [] : [{ ...one, ...load, ...times, ...tokens, ...down }, own]
  })
  await addBackendMinutes(store, parts.flat().map(backendMinute))
  await sumBackendHours(store, 0)
  await addBackendEvents(store, [
    { kind: 'ejected', model: 'm', backend, reason: 'health_check', at },
    { kind: 'reload', model: '', backend: '', reason: '', at: at + 1 },
  ])
  await store.close()
}
