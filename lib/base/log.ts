import { type Logger, pino } from 'pino'
import { LogOutput } from './log-output.ts'
import { textLine } from './log-text.ts'

interface LogOptions {
  /** Minimum level, as pino names it. */
  readonly level: string
  /** `text`: see textLine(). */
  readonly format: 'text' | 'json'
}

/** The buffer of all logs of this process. Created with the first log, because most commands write none. */
let output: LogOutput | undefined

/** A buffered log on stdout, flushed by flush() and by the end of the process. `worker`: a member of every line. */
export function createLog({ level, format }: LogOptions, worker?: number): { log: Logger; flush: () => void } {
  output ??= new LogOutput()
  const stdout = output
  const write = (line: string) => stdout.write(format === 'text' ? textLine(line) : line)
  const base = worker === undefined ? null : { worker }
  const log = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  stdout.onRecovery = lines => log.warn({ lines }, 'log lines were dropped, because stdout could not be written')
  return { log, flush: () => stdout.flush() }
}

/** Lines that could not be written since the start of this process. */
export function droppedLines(): number {
  return output?.dropped ?? 0
}
