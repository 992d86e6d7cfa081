import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FilesConfig } from '../../lib/config/config.ts'
import { FileStore } from '../../lib/files/store.ts'
import { ManualClock } from './clock.ts'

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
export const ALICE = 'a'.repeat(32)
export const BOB = 'b'.repeat(32)
export const FILES_KEY = Buffer.alloc(32, 7).toString('base64')

/** Paths of all files below a directory. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}

/** Call in a describe: each test has a directory and a clock of its own. */
export function useFiles() {
  let dir = ''
  let clock = new ManualClock()
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    clock = new ManualClock()
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const configOf = (more: Partial<FilesConfig> = {}): FilesConfig => ({
    path: join(dir, 'files'),
    max_bytes: 1000,
    max_total_bytes_per_user: 10_000_000,
    max_files_per_user: 100,
    retention_days: 30,
    ...more,
  })
  return {
    clock: () => clock,
    path: (...names: readonly string[]) => join(dir, 'files', ...names),
    configOf,
    /** A store that takes files for batches of up to 1 MB. */
    open: (more: Partial<FilesConfig> = {}) => new FileStore(configOf(more), clock, () => 1_000_000),
    /** All files on the disk. */
    kept: () =>
      readdirSync(join(dir, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()),
  }
}

/** The pieces as an upload or a generator of the gateway passes them. */
export async function* pieces(...all: readonly (string | Uint8Array)[]): AsyncGenerator<Buffer> {
  for (const piece of all) yield Buffer.from(piece)
}

/** Everything that the iterable returns. */
export async function gather<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of from) all.push(one)
  return all
}
