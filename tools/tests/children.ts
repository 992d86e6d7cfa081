/** The running child processes of this process. Node publishes each start, also that of a library. */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

const started = new Set<ChildProcess>()

export const children: ReadonlySet<ChildProcess> = started

subscribe('child_process', message => {
  const child = (message as { readonly process: ChildProcess }).process
  started.add(child)
  child.once('exit', () => started.delete(child))
})
