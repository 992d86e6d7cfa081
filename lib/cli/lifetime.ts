import type { EventEmitter } from 'node:events'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Reloader } from './reload.ts'

interface Drainable {
  /** Stops accepting requests, waits up to drain_seconds for running ones, and resolves after the last write. */
  drain(): Promise<void>
}

/** Signals within this time count as one: one to the process group also arrives through the parent process. */
const SAME_SIGNAL_MS = 500

/** Drains at SIGTERM or SIGINT and resolves with the exit code. A second one aborts the drain. SIGHUP reloads. */
export async function untilStopped(
  gateway: Drainable,
  reloader: Pick<Reloader, 'reload' | 'stop'>,
  signals: Pick<EventEmitter, 'on' | 'off'> = process,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): Promise<number> {
  const first = Promise.withResolvers<void>()
  const again = Promise.withResolvers<number>()
  let since: number | undefined
  const onHangup = (): void => void reloader.reload()
  const onStop = (): void => {
    since ??= clock.monotonic()
    first.resolve()
    if (clock.monotonic() - since >= SAME_SIGNAL_MS) again.resolve(1)
  }

  signals.on('SIGHUP', onHangup)
  signals.on('SIGTERM', onStop)
  signals.on('SIGINT', onStop)
  try {
    await first.promise
    reloader.stop()
    return await Promise.race([gateway.drain().then(() => 0), again.promise])
  } finally {
    signals.off('SIGHUP', onHangup)
    signals.off('SIGTERM', onStop)
    signals.off('SIGINT', onStop)
  }
}
