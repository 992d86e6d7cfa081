/** Loaded before all tests. Child processes end with the process that runs the tests, also if a signal ends it. */
import { children } from '../../tools/tests/children.ts'

// Without a handler, the signal would end this process without 'exit'.
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})
