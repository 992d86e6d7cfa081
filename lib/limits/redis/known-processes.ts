import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownProcesses } from './processes.ts'

const NAME = 'limits-processes'

/** Keeps the last count of processes in a file of this directory, which processes on one machine may share. */
export function knownProcesses(directory: string): KnownProcesses {
  const file = join(directory, NAME)
  let last = read(file)
  return {
    get last() {
      return last
    },
    keep(count) {
      if (count === last) return
      last = count
      try {
        // Replaced at once, so that no other process reads a part of it.
        writeFileSync(`${file}.${process.pid}`, `${count}\n`)
        renameSync(`${file}.${process.pid}`, file)
      } catch {
        // The journal reports a disk that cannot be written. Without the file, what is configured counts.
      }
    },
  }
}

/** undefined: there is no file, or none with a count. */
function read(file: string): number | undefined {
  try {
    const count = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(count) && count >= 1 ? count : undefined
  } catch {
    return undefined
  }
}
