import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory and those above it. Node's own `recursive` never returns if a parent exists that takes no
 * directories, as below /proc (Node 24).
 */
export function makeDirectory(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(path)
    if (code === 'ENOENT' && parent !== path && !isDirectory(parent)) {
      makeDirectory(parent, mode)
      mkdirSync(path, { mode })
    } else if (!isDirectory(path)) throw error
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
