/**
 * Runs the tests in several processes: `main.ts fast` those that need no processes, services or seconds of waiting,
 * `main.ts all` everything. docs/adr/0073-tests-in-several-processes.md. A second argument is another root than this repository.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { children } from './children.ts'
import { type Kind, TestFiles } from './files.ts'
import { SummaryReporter } from './reporter.ts'

const root = process.argv[3] ?? fileURLToPath(new URL('../..', import.meta.url))

/** Each process takes up to a gigabyte of memory, and may run a database of its own. */
const MOST_PROCESSES = 8

/** Fast tests keep a core busy. The others wait most of the time, so that twice as many overlap. */
function processes(kind: Kind): number {
  const cores = availableParallelism()
  return (
    Number(process.env.TEST_PROCESSES) || Math.min(MOST_PROCESSES, Math.max(2, kind === 'fast' ? cores : 2 * cores))
  )
}

/** How long processes have after a signal to end what they have started (test/support/children.ts): one may be in a long task. */
const GRACE_MS = 1000

let exitCode: number | undefined
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => {
    exitCode = code
    for (const child of children) child.kill('SIGTERM')
    setTimeout(() => {
      // Those that mocha has started in the meantime, too.
      for (const child of children) child.kill('SIGKILL')
      process.exit(code)
    }, GRACE_MS)
  })
}

const kind: Kind = process.argv[2] === 'fast' ? 'fast' : 'all'
// Read by the suites of stores, which are run on SQLite alone by the fast tests (test/support/services.ts).
process.env.TEST_KIND = kind
const files = new TestFiles(root)
const options = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8')) as Mocha.MochaOptions
const mocha = new Mocha({
  ...options,
  parallel: true,
  jobs: processes(kind),
  reporter: SummaryReporter,
  reporterOptions: { files },
})
for (const file of files.list(kind)) mocha.addFile(join(root, file))
mocha.run(failures => process.exit(exitCode ?? (failures > 0 ? 1 : 0)))
