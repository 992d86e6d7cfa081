/** Which test files a run has, and in what order: the longest first, so that no process ends long after the others. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'

export type Kind = 'fast' | 'all'

/** Suites that start processes or services, or wait for seconds. */
const SLOW = ['test/e2e/**', 'test/**/*.slow.test.ts']

/** What slow suites take for as long as none of them has been measured here: more than any fast one, in milliseconds. */
const UNKNOWN_SLOW_MS = 10_000

/** How long each file took when it ran last, by its path from the root. */
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

  /** Keeps for the next run how many milliseconds each of these files took. */
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
