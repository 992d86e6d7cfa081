/**
 * Runs the tests in several processes: `main.ts fast` those that need no processes, services or seconds of waiting,
 * `main.ts all` everything. docs/adr/0073-tests-in-several-processes.md. A second argument is another root than this repository.
 */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
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

/** Mocha keeps its processes to itself; Node tells of each that is started. */
const children: ChildProcess[] = []
subscribe('child_process', message => children.push((message as { process: ChildProcess }).process))

/** By signal, what the run ends with at once. Those of its processes that have started services end them first. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
for (const [signal, code] of Object.entries(EXIT_CODES)) {
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exit(code)
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
mocha.run(failures => process.exit(failures > 0 ? 1 : 0))
