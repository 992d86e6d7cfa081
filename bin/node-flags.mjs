import { readFileSync } from 'node:fs'

/**
 * The flags of the Node that runs the gateway. Its young generation may grow to 64 MB on a large machine, and stays there. It is no faster
 * with that (docs/internals/memory.md). Four threads would help its garbage collector, also where there is one core: the event loop waits for
 * them. What is made at one place of the code may live as long as a connection or as short as a request: V8 must not
 * decide by the first (docs/internals/memory.md).
 */
export function nodeFlags() {
  return JSON.parse(readFileSync(new URL('node-flags.json', import.meta.url), 'utf8'))
}

/**
 * What goes into the environment of the Node that runs the gateway, unless it is there: glibc's malloc gives back to the system at once what it maps by
 * itself, of smaller pieces only those at the end of its heap (docs/internals/memory.md).
 */
export function nodeEnvironment() {
  return { MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '24576' }
}
