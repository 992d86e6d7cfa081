import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory and those above it. Node's own `recursive` never returns if a parent exists that takes no
 * directories, as below /proc (Node 24).
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const parent = dirname(path)
  if (!isMade(path, mode, parent !== path)) {
    if (!isDirectory(parent)) makeDirectory(parent, mode)
    // The parent exists now: this process has created it, or another one that starts at the same time.
    isMade(path, mode, false)
  }
}

/** False: `mayLackParent` is true, and the parent may not exist. Throws if the directory cannot be created. */
function isMade(path: string, mode: number, mayLackParent: boolean): boolean {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (isDirectory(path)) return true
    if (mayLackParent && (error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  return true
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
