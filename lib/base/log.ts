import { type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'
import { textLine } from './log-text.ts'

/**
 * Characters buffered before a write: about 160 lines. Each write wakes a thread, so that with a quarter of it a line takes a
 * third more CPU.
 */
const BUFFER_LENGTH = 64 * 1024

/** The longest time that a line is buffered. */
const FLUSH_MS = 1000

export interface LogOptions {
  /** The lowest that is written, in pino's words. */
  readonly level: string
  /** `text` is for people, see textLine(). */
  readonly format: 'text' | 'json'
}

/**
 * Writes lines to stdout, buffered so that a busy gateway makes few system calls. flush() writes the buffer, and so does
 * the end of the process, also after a crash. Lines are buffered here, because pino's destination measures its whole buffer
 * again with every line. `worker`: a member of every line.
 */
export function createLog({ level, format }: LogOptions, worker?: number): { log: Logger; flush: () => void } {
  const stdout = pino.destination({ dest: 1, sync: false })
  let buffer = ''
  const writeBuffer = () => {
    if (buffer !== '') stdout.write(buffer)
    buffer = ''
  }
  const write = (line: string) => {
    buffer += format === 'text' ? textLine(line) : line
    if (buffer.length >= BUFFER_LENGTH) writeBuffer()
  }
  const timer = setInterval(writeBuffer, FLUSH_MS)
  timer.unref()
  const log = pino({ level, base: worker === undefined ? null : { worker }, timestamp: isoTime }, { write })
  const flush = () => {
    clearInterval(timer)
    process.off('exit', flush)
    writeBuffer()
    try {
      stdout.flushSync()
    } catch {
      // pino throws if nothing was ever written.
    }
  }
  process.on('exit', flush)
  return { log, flush }
}

let second = -1
let untilSecond = ''

/** pino's own function makes a Date per line, which costs eight times as much. */
function isoTime(): string {
  const now = systemClock.now()
  const thisSecond = Math.floor(now / 1000)
  if (thisSecond !== second) {
    second = thisSecond
    untilSecond = `,"time":"${new Date(now).toISOString().slice(0, -4)}`
  }
  return `${untilSecond}${String(now % 1000).padStart(3, '0')}Z"`
}
