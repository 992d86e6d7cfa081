import { type Logger, pino } from 'pino'
import { textLine } from './log-text.ts'

/** Bytes buffered before a write, about 40 lines. pino allows at most 16,383; smaller values cost more CPU per line. */
const MIN_LENGTH = 16_000

/** The longest time that a line is buffered. */
const FLUSH_MS = 1000

export interface LogOptions {
  /** The lowest that is written, in pino's words. */
  readonly level: string
  /** `text` is for people, see textLine(). */
  readonly format: 'text' | 'json'
}

/**
 * Writes lines to stdout, buffered so that a busy gateway makes few system calls. flush() writes the buffer, as does
 * the end of the process, also after a crash. `worker`: a member of every line.
 */
export function createLog({ level, format }: LogOptions, worker?: number): { log: Logger; flush: () => void } {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: MIN_LENGTH, periodicFlush: FLUSH_MS })
  // After a fatal line and at the exit pino flushes synchronously, and retries forever if stdout is full or not read.
  // A destination without flushSync() avoids the first. The handler runs before pino's and leaves it nothing to write.
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
