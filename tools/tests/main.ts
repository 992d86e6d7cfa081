/**
 * Runs the tests in several processes (docs/adr/0073-tests-in-several-processes.md). `main.ts fast` runs those that
 * start no processes or services and do not wait for seconds; `main.ts all` runs all. The second argument is another
 * root directory.
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

/** Each process needs up to 1 GB of memory, and may run its own database. */
const MAX_PROCESSES = 8

/** Fast tests keep a core busy. Other tests wait most of the time, so twice as many processes run. */
function processes(kind: Kind): number {
  const cores = availableParallelism()
  return Number(process.env.TEST_PROCESSES) || Math.min(MAX_PROCESSES, Math.max(2, kind === 'fast' ? cores : 2 * cores))
}

/** Files with a failure that run once more, alone. More failures than a busy machine explains are not repeated. */
const MAX_REPEATED_FILES = 3

/**
 * Time after a signal in which processes end their own children (test/support/children.ts); one may be in a long task.
 */
const GRACE_MS = 1000

let exitCode: number | undefined
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => {
    exitCode = code
    for (const child of children) child.kill('SIGTERM')
    setTimeout(() => {
      // Includes the processes that mocha has started in the meantime.
      for (const child of children) child.kill('SIGKILL')
      process.exit(code)
    }, GRACE_MS)
  })
}

const kind: Kind = process.argv[2] === 'fast' ? 'fast' : 'all'
// test/support/services.ts reads this variable: fast tests run the suites of stores only on SQLite.
process.env.TEST_KIND = kind
const files = new TestFiles(root)
const options = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8')) as Mocha.MochaOptions

/** A failure of a run. `type`: undefined for errors outside of tests and hooks, such as a file that does not load. */
interface Failed {
  readonly file?: string
  readonly type?: 'test' | 'hook'
}

/** Runs files of paths from the root. Resolves to those with a failure; undefined: the run ended before its end. */
async function run(paths: readonly string[], jobs: number): Promise<ReadonlySet<string> | undefined> {
  const mocha = new Mocha({ ...options, parallel: true, jobs, reporter: SummaryReporter, reporterOptions: { files } })
  for (const path of paths) mocha.addFile(join(root, path))
  const failed = new Set<string>()
  let isWhole = true
  const failures = await new Promise<number>(resolve => {
    mocha.run(resolve).on(Mocha.Runner.constants.EVENT_TEST_FAIL, ({ file, type }: Failed) => {
      if (file === undefined || type === undefined) isWhole = false
      else failed.add(files.shown(file))
    })
  })
  return isWhole && (failures === 0 || failed.size > 0) ? failed : undefined
}

/**
 * Whether each of the failed files passes alone. A failure that does not return depends on the load of the machine:
 * it is printed last, so that nobody overlooks it.
 */
async function passAlone(failed: ReadonlySet<string>): Promise<boolean> {
  for (const file of failed) {
    console.log(`Runs ${file} alone, once more:`)
    const again = await run([file], 2)
    if (again === undefined || again.size > 0) return false
  }
  for (const file of failed) console.log(`UNSTABLE ${file}: failed next to other files, passed alone`)
  return true
}

const failed = await run(files.list(kind), processes(kind))
const isGreen =
  failed !== undefined && (failed.size === 0 || (failed.size <= MAX_REPEATED_FILES && (await passAlone(failed))))
process.exit(exitCode ?? (isGreen ? 0 : 1))
