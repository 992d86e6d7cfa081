/** The documentation site, for tests that need it. Test files in several processes build it once. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Longer than any build takes. A killed process has left an older lock behind. */
const STALE_MS = 5 * 60_000

/** Builds site/ unless it is current. Resolves with its folder. */
export async function builtSite(): Promise<string> {
  const lock = join(root, 'node_modules/.cache/site.lock')
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  while (!taken(lock)) await sleep(200)
  try {
    await promisify(execFile)(process.execPath, [join(root, 'tools/docs/main.ts')], { cwd: root })
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return join(root, 'site')
}

/** Creating a directory is atomic. */
function taken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
