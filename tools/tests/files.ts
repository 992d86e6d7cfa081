/** The test files of a run, longest first, so that no process ends long after the others. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'

export type Kind = 'fast' | 'all'

/** Files whose tests start processes or services, or wait for seconds. */
const SLOW = ['test/e2e/**', 'test/**/*.slow.test.ts']

/** The assumed milliseconds of a slow file that has not been measured yet: more than any fast file takes. */
const UNKNOWN_SLOW_MS = 10_000

/** Milliseconds that each file took in its last run, by its path from the root. */
type Times = Readonly<Record<string, number>>

export class TestFiles {
  readonly #root: string
  readonly #timesFile: string

  constructor(root: string) {
    this.#root = root
    this.#timesFile = join(root, 'node_modules', '.cache', 'test-times.json')
  }

  /** Paths from the root. */
  list(kind: Kind): readonly string[] {
    const times = this.#times()
    const isSlow = (file: string) => SLOW.some(glob => matchesGlob(file, glob))
    const expected = (file: string) => times[file] ?? (isSlow(file) ? UNKNOWN_SLOW_MS : 0)
    return globSync('test/**/*.test.ts', { cwd: this.#root })
      .filter(file => kind === 'all' || !isSlow(file))
      .sort((a, b) => expected(b) - expected(a) || (a < b ? -1 : 1))
  }

  /** Saves the milliseconds that these files took, for the next run. */
  remember(taken: ReadonlyMap<string, number>): void {
    const entries = [...taken].map(([file, ms]) => [this.shown(file), Math.round(ms)])
    mkdirSync(dirname(this.#timesFile), { recursive: true })
    writeFileSync(this.#timesFile, JSON.stringify({ ...this.#times(), ...Object.fromEntries(entries) }))
  }

  /** The path from the root. */
  shown(file: string): string {
    return relative(this.#root, file)
  }

  #times(): Times {
    try {
      return JSON.parse(readFileSync(this.#timesFile, 'utf8')) as Times
    } catch {
      return {}
    }
  }
}
