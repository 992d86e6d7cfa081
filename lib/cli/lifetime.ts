import type { EventEmitter } from 'node:events'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Reloader } from './reload.ts'

export interface Drainable {
  /** Stops accepting, lets running requests finish up to drain_seconds, and resolves when everything is written. */
  drain(): Promise<void>
}

/**
 * One wish arrives several times where a whole process group is told, as systemd, `kill -- -PGID` and terminals do: from
 * whoever sent it, and passed on by the process above. That takes milliseconds; nobody loses patience so soon.
 */
const SAME_WISH_MS = 500

/**
 * Runs until SIGTERM or SIGINT, then drains and resolves with the exit code. SIGHUP reloads. A second SIGTERM or
 * SIGINT, half a second later or more, does not wait for the drain.
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
    if (clock.monotonic() - since >= SAME_WISH_MS) again.resolve(1)
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
