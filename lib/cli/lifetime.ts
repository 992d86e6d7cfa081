import type { EventEmitter } from 'node:events'
import type { Reloader } from './reload.ts'

export interface Drainable {
  /** Stops accepting, lets running requests finish up to drain_seconds, and resolves when everything is written. */
  drain(): Promise<void>
}

/**
 * Runs until SIGTERM or SIGINT, then drains and resolves with the exit code. SIGHUP reloads. A second SIGTERM or
 * SIGINT does not wait for the drain.
 */
export async function untilStopped(
  gateway: Drainable,
  reloader: Pick<Reloader, 'reload' | 'stop'>,
  signals: Pick<EventEmitter, 'on' | 'off'> = process,
): Promise<number> {
  const onHangup = (): void => void reloader.reload()
  let stop: () => void = () => {}
  const next = (): Promise<void> =>
    new Promise(resolve => {
      stop = resolve
    })
  const onStop = (): void => stop()

  signals.on('SIGHUP', onHangup)
  signals.on('SIGTERM', onStop)
  signals.on('SIGINT', onStop)
  try {
    await next()
    reloader.stop()
    return await Promise.race([gateway.drain().then(() => 0), next().then(() => 1)])
  } finally {
    signals.off('SIGHUP', onHangup)
    signals.off('SIGTERM', onStop)
    signals.off('SIGINT', onStop)
  }
}
