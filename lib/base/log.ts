import { type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'

/** How much is gathered before it is written: some forty lines for one system call. */
const GATHERED_LENGTH = 16 * 1024

/** How long a line waits at most, in milliseconds. */
const LINE_WAITS_MS = 1000

/**
 * JSON lines on stdout, written in pieces so that a busy gateway makes few system calls; flush() writes the last one, and so
 * does the end of the process, a crash included. Lines are gathered here and not by pino's destination, which measures all that it holds again with every line.
 */
export function createLog(level: string): { log: Logger; flush: () => void } {
  const stdout = pino.destination({ dest: 1, sync: false })
  let gathered = ''
  const spill = () => {
    if (gathered !== '') stdout.write(gathered)
    gathered = ''
  }
  const write = (line: string) => {
    gathered += line
    if (gathered.length >= GATHERED_LENGTH) spill()
  }
  const timer = setInterval(spill, LINE_WAITS_MS)
  timer.unref()
  const log = pino({ level, base: null, timestamp: isoTime }, { write })
  const flush = () => {
    clearInterval(timer)
    process.off('exit', flush)
    spill()
    try {
      stdout.flushSync()
    } catch {
      // Nothing was ever written, so there is nothing to flush.
    }
  }
  process.on('exit', flush)
  return { log, flush }
}

let second = -1
let untilSecond = ''

/** pino's own makes a Date for every line: eight times the cost of this. */
function isoTime(): string {
  const now = systemClock.now()
  const thisSecond = Math.floor(now / 1000)
  if (thisSecond !== second) {
    second = thisSecond
    untilSecond = `,"time":"${new Date(now).toISOString().slice(0, -4)}`
  }
  return `${untilSecond}${String(now % 1000).padStart(3, '0')}Z"`
}
