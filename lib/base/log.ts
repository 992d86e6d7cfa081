import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * A buffered log on stdout, flushed by flush() and by the end of the process. `worker`: a member of every line. `fd`:
 * another descriptor of stdout.
 */
export function createLog(
  { level, format }: LogOptions,
  worker?: number,
  fd?: number,
): { log: Logger; flush: () => void } {
  output ??= new LogOutput(fd)
  const stdout = output
  const write = (line: string) => stdout.write(format === 'text' ? textLine(line) : line)
  const base = worker === undefined ? null : { worker }
  const log = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  stdout.onRecovery = lines => log.warn({ lines }, 'log lines were dropped, because stdout could not be written')
  return { log, flush: () => stdout.flush() }
}

/** Lines of writeLines() that are buffered at a time. */
const MAX_LINES = 50
const WAIT_MS = 100
const MAX_WAITS = 100

/** Writes lines between those of the log. Rejects if stdout does not take them; then some may have been written. */
export async function writeLines(lines: readonly string[]): Promise<void> {
  output ??= new LogOutput()
  const stdout = output
  for (let at = 0; at < lines.length; at += MAX_LINES) {
    const { dropped } = stdout
    for (const line of lines.slice(at, at + MAX_LINES)) stdout.write(`${line}\n`)
    stdout.flush()
    for (let waits = 0; !stdout.isEmpty && waits < MAX_WAITS; waits++) {
      await sleep(WAIT_MS)
      stdout.flush()
    }
    if (!stdout.isEmpty || stdout.dropped > dropped) throw new Error('stdout cannot be written')
  }
}

/** Lines that could not be written since the start of this process. */
export function droppedLines(): number {
  return output?.dropped ?? 0
}
