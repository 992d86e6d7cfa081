import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * JSON lines on stdout. Written in pieces of 4 KB or once a second, so that a busy gateway makes few system calls;
 * flush() empties the buffer at the end.
 */
export function createLog(level: string): { log: Logger; flush: () => void } {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  const timer = setInterval(() => destination.flush(), 1000)
  timer.unref()
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination as DestinationStream)
  return {
    log,
    flush() {
      clearInterval(timer)
      try {
        destination.flushSync()
      } catch {
        // Nothing was ever written, so there is nothing to flush.
      }
    },
  }
}
