/**
 * Locks that separate the processes which share a journal directory. The names of a process's files begin with its
 * lock's name. The process owns the lock on `<name>.lock`, which SQLite acquires: Node has no other lock that the
 * kernel releases whenever a process dies, without heartbeat, clock or process id (docs/adr/0007).
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
  /** After this call, other processes may move the remaining segments. */
  release(): void
}

/** Segments of a process that has ended. This process owns their lock until release(). */
interface OrphanedSegments extends SegmentLock {
  /** Oldest first. */
  readonly segments: readonly string[]
}

/** Acquires a lock with a new name. Throws if the directory is not writable or its file system has no locks. */
export function acquireSegmentLock(directory: string): SegmentLock {
  for (;;) {
    const name = `journal-${process.pid}-${randomBytes(4).toString('hex')}`
    const acquired = lock(directory, name)
    if (acquired !== null) return acquired
  }
}

/** Path of a segment: `<directory>/<name>-<number>.log`. The number has six digits or more. */
export function segmentPath(directory: string, name: string, number: number): string {
  return join(directory, `${name}-${String(number).padStart(6, '0')}.log`)
}

/** Segments of processes that have ended. `onError` is called for each lock that could not be tried. */
export function* orphanedSegments(directory: string, onError: (error: unknown) => void): Generator<OrphanedSegments> {
  const names = new Set<string>()
  for (const file of readdirSync(directory)) {
    const name = FILE.exec(file)?.[1]
    if (name !== undefined) names.add(name)
  }
  for (const name of names) {
    const acquired = tryLock(directory, name, onError)
    // Listed again under the lock, because another process may have moved some segments since.
    if (acquired !== null) yield { ...acquired, segments: segmentsOf(directory, name) }
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

/** null: a running process owns the lock. */
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
