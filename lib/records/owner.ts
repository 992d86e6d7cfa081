/**
 * Whose segments are whose in a directory that several processes share. A process's files begin with its name, and while
 * it lives it holds a lock on `<name>.lock`. The lock is taken through SQLite, which is Node's one way to a lock that the
 * kernel gives up when the process dies, however it dies: no heartbeat, no clock, no process id that another process or
 * container may have as well.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const FILE = /^(journal-\d+-[0-9a-f]{8})(?:\.lock|-\d{6,}\.log)$/
const SEGMENT = /\.log$/
const SQLITE_BUSY = 5

/** A name of this process and the lock that keeps others from its segments. */
export interface Owner {
  readonly name: string
  /** Lets others take what is left. */
  release(): void
}

/** Segments of a process that is gone, locked by us: nobody else moves them until they are released. */
export interface Estate extends Owner {
  /** Oldest first. */
  readonly segments: readonly string[]
}

/** Throws when the directory cannot be written or its file system has no locks. */
export function takeName(directory: string): Owner {
  for (;;) {
    const name = `journal-${process.pid}-${randomBytes(4).toString('hex')}`
    const owner = lock(directory, name)
    if (owner !== null) return owner
  }
}

/** Path of a process's segment: `<directory>/<name>-<number>.log`, numbers in six digits or more. */
export function segmentPath(directory: string, name: string, number: number): string {
  return join(directory, `${name}-${String(number).padStart(6, '0')}.log`)
}

/** What dead processes left in the directory. `failed` hears of locks that could not be tried. */
export function* estates(directory: string, failed: (error: unknown) => void): Generator<Estate> {
  const names = new Set<string>()
  for (const file of readdirSync(directory)) {
    const name = FILE.exec(file)?.[1]
    if (name !== undefined) names.add(name)
  }
  for (const name of names) {
    const owner = tryLock(directory, name, failed)
    // Listed again under the lock: its last holder may have moved some meanwhile.
    if (owner !== null) yield { ...owner, segments: segmentsOf(directory, name) }
  }
}

function tryLock(directory: string, name: string, failed: (error: unknown) => void): Owner | null {
  try {
    return lock(directory, name)
  } catch (error) {
    failed(error)
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

/** null: its process lives. */
function lock(directory: string, name: string): Owner | null {
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
        // A file that stays is tidied up by the next process that looks.
      }
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
