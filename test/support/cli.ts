/** Runs the command line as a process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Place {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Through bin/sluiceway.mjs instead of the entry point of the sources. */
  readonly bin?: boolean
  /** A command that runs the command line, which it gets as its last arguments. */
  readonly within?: readonly string[]
}

/** A command that is running. */
export class Cli {
  readonly child: ChildProcess
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>
  #out = ''
  #err = ''
  readonly #waiting = new Set<() => void>()

  constructor(argv: readonly string[], { cwd = root, env = {}, bin = false, within = [] }: Place = {}) {
    const entry = join(root, bin ? 'bin/sluiceway.mjs' : 'lib/cli/main.ts')
    const [command, ...rest] = [...within, process.execPath, entry, ...argv]
    this.child = spawn(command!, rest, { cwd, env: { ...process.env, ...env } })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text
      this.#look()
    })
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text
      this.#look()
    })
    this.ended = new Promise(resolve => {
      this.child.on('close', code => {
        resolve({ code, out: this.#out, err: this.#err })
        this.#look()
      })
    })
  }

  /** The first match in stdout or stderr. Rejects if the command ends without one. */
  async match(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#out) ?? pattern.exec(this.#err)
      if (found !== null) return found
      if (this.child.exitCode !== null) throw new Error(`ended without ${pattern}:\n${this.#out}${this.#err}`)
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

export function runCli(argv: readonly string[], place?: Place): Promise<Ended> {
  return new Cli(argv, place).ended
}

/** A new temporary directory for every test of the suite. */
export function temporaryDirectory(): () => string {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))
  return () => directory
}
