import { type Logger, pino } from 'pino'
import { textLine } from './log-text.ts'

/** Bytes buffered before a write, about 40 lines. pino allows at most 16,383; smaller values cost more CPU per line. */
const MIN_LENGTH = 16_000

/** Longest time that a line is buffered. */
const FLUSH_MS = 1000

interface LogOptions {
  /** Minimum level, as pino names it. */
  readonly level: string
  /** `text`: see textLine(). */
  readonly format: 'text' | 'json'
}

/** A buffered log on stdout, flushed by flush() and by the end of the process. `worker`: a member of every line. */
export function createLog({ level, format }: LogOptions, worker?: number): { log: Logger; flush: () => void } {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: MIN_LENGTH, periodicFlush: FLUSH_MS })
  // pino's flush at exit and after fatal lines retries forever if stdout is full. Without flushSync() there is none
  // after a fatal line. At exit, this handler runs first and leaves nothing to write.
  const write = (line: string) => stdout.write(format === 'text' ? textLine(line) : line)
  const onExit = () => stdout.flush()
  process.prependListener('exit', onExit)
  const base = worker === undefined ? null : { worker }
  const log = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  const flush = () => {
    process.off('exit', onExit)
    stdout.flush()
  }
  return { log, flush }
}
