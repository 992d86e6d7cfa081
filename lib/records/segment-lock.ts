/**
 * Locks that separate the processes which share a journal directory. A process's files begin with its name, and it holds
 * a lock on `<name>.lock` while it runs. The lock is taken through SQLite, because that is the only lock Node offers that
 * the kernel releases whenever the process dies. It needs no heartbeat, no clock, and no process id, which is not unique
 * across containers (docs/adr/0012).
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const FILE = /^(journal-\d+-[0-9a-f]{8})(?:\.lock|-\d{6,}\.log)$/
const SEGMENT = /\.log$/
const SQLITE_BUSY = 5

/** The lock on all segments whose file names begin with `name`. */
export interface SegmentLock {
  readonly name: string
  /** Other processes may take over the remaining segments from now on. */
  release(): void
}

/** Segments of a process that has ended. This process holds their lock until release(). */
export interface OrphanedSegments extends SegmentLock {
  /** Oldest first. */
  readonly segments: readonly string[]
}

/** Takes the lock under a new name. Throws when the directory is not writable or its file system has no locks. */
export function acquireSegmentLock(directory: string): SegmentLock {
  for (;;) {
    const name = `journal-${process.pid}-${randomBytes(4).toString('hex')}`
    const held = lock(directory, name)
    if (held !== null) return held
  }
}

/** Path of a segment: `<directory>/<name>-<number>.log`, the number in six digits or more. */
export function segmentPath(directory: string, name: string, number: number): string {
  return join(directory, `${name}-${String(number).padStart(6, '0')}.log`)
}

/** Segments that ended processes have left in the directory. `onError` is called for each lock that could not be tried. */
export function* orphanedSegments(directory: string, onError: (error: unknown) => void): Generator<OrphanedSegments> {
  const names = new Set<string>()
  for (const file of readdirSync(directory)) {
    const name = FILE.exec(file)?.[1]
    if (name !== undefined) names.add(name)
  }
  for (const name of names) {
    const held = tryLock(directory, name, onError)
    // Listed again under the lock: its last holder may have moved some of them in the meantime.
    if (held !== null) yield { ...held, segments: segmentsOf(directory, name) }
  }
}

function tryLock(directory: string, name: string, onError: (error: unknown) => void): SegmentLock | null {
  try {
    return lock(directory, name)
  } catch (error) {
    onError(error)
    return null
  }
}

function segmentsOf(directory: string, name: string): string[] {
  const files = readdirSync(directory).filter(file => SEGMENT.test(file) && FILE.exec(file)?.[1] === name)
  return files.sort((a, b) => numberOf(a) - numberOf(b)).map(file => join(directory, file))
}

function numberOf(file: string): number {
  return Number(file.slice(file.lastIndexOf('-') + 1, -'.log'.length))
}

/** null: a running process holds the lock. */
function lock(directory: string, name: string): SegmentLock | null {
  const path = join(directory, `${name}.lock`)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
  return {
    name,
    release() {
      database.close()
      try {
        if (segmentsOf(directory, name).length === 0) rmSync(path, { force: true })
      } catch {
        // The next process that searches the directory removes the file.
      }
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
