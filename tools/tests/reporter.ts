/**
 * Prints a run of all tests: a line of progress every ten seconds, and each failure at once. At the end: skipped tests,
 * the slowest files, every failure with its difference, and a line of totals.
 */
import Mocha from 'mocha'
import type { TestFiles } from './files.ts'

const { EVENT_HOOK_END, EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_SUITE_END } = Mocha.Runner.constants
const { EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants

const PROGRESS_MS = 10_000

/** How many of the slowest files are listed. */
const LISTED_FILES = 10

interface ReporterOptions {
  readonly files: Pick<TestFiles, 'remember' | 'shown'>
  /** Default: stdout. */
  readonly print?: (line: string) => void
}

export class SummaryReporter extends Mocha.reporters.Base {
  readonly #options: ReporterOptions
  /** Milliseconds that tests and hooks took, by file. */
  readonly #taken = new Map<string, number>()
  readonly #skipped = new Map<string, number>()
  #done = 0
  #started = 0

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    this.#options = options.reporterOptions as ReporterOptions
    let progress: NodeJS.Timeout | undefined
    runner.on(EVENT_RUN_BEGIN, () => {
      this.#started = Date.now()
      progress = setInterval(() => this.#print(this.#numbers()), PROGRESS_MS)
    })
    runner.on(EVENT_TEST_END, test => this.#took(test))
    runner.on(EVENT_HOOK_END, hook => this.#took(hook))
    runner.on(EVENT_TEST_PENDING, ({ file = '' }) => this.#skipped.set(file, (this.#skipped.get(file) ?? 0) + 1))
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      this.#print(`FAILED ${this.#shown(test.file)}: ${test.fullTitle()}\n       ${firstLine(error)}`)
    })
    // In parallel mode, each file has a root suite of its own.
    runner.on(EVENT_SUITE_END, suite => {
      if (suite.root) this.#done++
    })
    runner.on(EVENT_RUN_END, () => {
      clearInterval(progress)
      this.#summarize()
      this.#options.files.remember(this.#taken)
    })
  }

  #summarize(): void {
    for (const [file, count] of this.#skipped) this.#print(`skipped ${count} in ${this.#shown(file)}`)
    const slowest = [...this.#taken].sort(([, a], [, b]) => b - a).slice(0, LISTED_FILES)
    if (slowest.length > 0) this.#print('The slowest files:')
    for (const [file, ms] of slowest) this.#print(`${seconds(ms).padStart(8)}  ${this.#shown(file)}`)
    if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures)
    this.#print(this.#numbers())
  }

  #numbers(): string {
    const { passes = 0, pending = 0, failures = 0 } = this.stats ?? {}
    const count = (number: number) => number.toLocaleString('en')
    const tests = `${count(passes)} passed, ${count(pending)} skipped, ${count(failures)} failed`
    return `${tests} in ${count(this.#done)} files, ${seconds(Date.now() - this.#started)}`
  }

  #took({ file = '', duration = 0 }: { file?: string | undefined; duration?: number | undefined }): void {
    this.#taken.set(file, (this.#taken.get(file) ?? 0) + duration)
  }

  #shown(file: string | undefined): string {
    return file === undefined ? '?' : this.#options.files.shown(file)
  }

  #print(line: string): void {
    const print = this.#options.print ?? console.log
    print(line)
  }
}

/** The first line of an error. Errors of another process arrive as plain objects. */
function firstLine(error: unknown): string {
  const { message = String(error) } = (error ?? {}) as { message?: string }
  return message.split('\n', 1)[0]!
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
