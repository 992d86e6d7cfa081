/** Loaded before all tests. What tests have started ends with the process that runs them, also where a signal ends that one. */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

const children = new Set<ChildProcess>()

subscribe('child_process', message => {
  const child = (message as { readonly process: ChildProcess }).process
  children.add(child)
  child.once('exit', () => children.delete(child))
})

// The signal alone would end this process without 'exit'.
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})
