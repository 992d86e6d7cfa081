import type { EventEmitter } from 'node:events'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Reloader } from './reload.ts'

interface Drainable {
  /** Stops accepting requests, waits up to drain_seconds for running ones, and resolves after the last write. */
  drain(): Promise<void>
}

/**
 * Signals within this time count as one. A signal to the process group, as systemd, `kill -- -PGID` and terminals send
 * it, arrives twice: directly, and forwarded by the parent process.
 */
const SAME_SIGNAL_MS = 500

/**
 * Runs until SIGTERM or SIGINT, then drains and resolves with the exit code. SIGHUP reloads. A second SIGTERM or SIGINT
 * at least half a second later aborts the drain with exit code 1.
 */
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
