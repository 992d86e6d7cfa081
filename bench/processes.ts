/** Child processes on a core of their own, and what the kernel knows about them. Linux only: /proc and taskset. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Targets run on one core, the mock backend and the load generator on the other. */
export const TARGET_CORE = 1
export const HELPER_CORE = 0

/** A process that writes its CPU profile takes a while to end. */
const GRACE_MS = 5000

const TICK_MS = 1000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout || 100)

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

export interface SpawnOptions {
  readonly core: number
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** A file descriptor for its stdout. Defaults to nowhere. */
  readonly stdout?: number
  /** A channel for messages. */
  readonly ipc?: boolean
}

export class Pinned {
  readonly child: ChildProcess
  readonly pid: number
  #stderr = ''

  /** Runs Node with these arguments on one core. */
  constructor(args: readonly string[], { core, cwd, env, stdout, ipc }: SpawnOptions) {
    this.child = spawn('taskset', ['-c', String(core), process.execPath, ...args], {
      stdio: ['ignore', stdout ?? 'ignore', 'pipe', ...(ipc === true ? (['ipc'] as const) : [])],
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
    })
    // taskset replaces itself by the program, so this is the program's own id.
    this.pid = this.child.pid!
    running.add(this.child)
    this.child.on('exit', () => running.delete(this.child))
    this.child.stderr!.on('data', (text: Buffer) => {
      this.#stderr = (this.#stderr + text.toString()).slice(-4000)
    })
  }

  /** What it said before it failed. */
  get stderr(): string {
    return this.#stderr
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** CPU time used so far by all of its threads, kernel work included: utime and stime of /proc/PID/stat. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  }

  rssKb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))![1])
  }

  /** Lets it end by itself before it is killed. */
  async stop(): Promise<void> {
    if (!this.alive) return
    const gone = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    const timer = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS)
    await gone
    clearTimeout(timer)
  }
}
