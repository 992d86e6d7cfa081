/** Loaded before all tests. What tests have started ends with the process that runs them, also where a signal ends that one. */
import { children } from '../../tools/tests/children.ts'

// The signal alone would end this process without 'exit'.
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})
