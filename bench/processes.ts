/** Child processes pinned to a core, and their figures from the kernel. Linux only: /proc and taskset. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import nodeFlags from '../bin/node-flags.json' with { type: 'json' }

/** Targets run on one core, the mock backend and the load generator on the other. */
export const TARGET_CORE = 1
export const HELPER_CORE = 0

const entry = fileURLToPath(new URL('../lib/cli/main.ts', import.meta.url))

/** Arguments and environment of Node as in the command and deploy/, for this configuration. `flags`: more flags. */
export function gatewayCommand(config: string, flags: readonly string[] = []) {
  return {
    args: [...nodeFlags, ...flags, entry, 'serve', '--config', config],
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '24576' },
  }
}

/** Time limit of the end of a process, which may write a CPU profile. */
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
  /** File descriptor of its stdout. Ignored by default. */
  readonly stdout?: number
  /** With an IPC channel. */
  readonly ipc?: boolean
  /** The program; Node by default. */
  readonly program?: string
}

export class Pinned {
  readonly child: ChildProcess
  readonly pid: number
  #stderr = ''

  /** Starts a program with these arguments on one core. */
  constructor(args: readonly string[], { core, cwd, env, stdout, ipc, program = process.execPath }: SpawnOptions) {
    this.child = spawn('taskset', ['-c', String(core), program, ...args], {
      stdio: ['ignore', stdout ?? 'ignore', 'pipe', ...(ipc === true ? (['ipc'] as const) : [])],
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
    })
    // taskset executes the program in its own process, so this is the program's process id.
    this.pid = this.child.pid!
    running.add(this.child)
    this.child.on('exit', () => running.delete(this.child))
    this.child.stderr!.on('data', (text: Buffer) => {
      this.#stderr = (this.#stderr + text.toString()).slice(-4000)
    })
  }

  /** Its output on stderr. */
  get stderr(): string {
    return this.#stderr
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** CPU time of all its threads so far, including the kernel's. */
  cpuMs(): number {
    return cpuMsOf(this.pid)
  }

  rssKb(): number {
    return rssKbOf(this.pid)
  }

  /** Terminates it, and kills it after a time limit. */
  async stop(): Promise<void> {
    if (!this.alive) return
    const gone = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    const timer = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS)
    await gone
    clearTimeout(timer)
  }
}

/** CPU time of all threads of a process so far, including the kernel's: utime and stime of /proc/PID/stat. */
export function cpuMsOf(pid: number): number {
  const [utime, stime] = timesOf(pid)
  return (utime! + stime!) * TICK_MS
}

/** Of a process and those that it has started, and so on. */
export function cpuMsOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.reduce((sum, child) => sum + cpuMsOfAll(child), cpuMsOf(pid))
}

/** Of the benchmark so far: this process, the processes it runs, and those that have ended. */
export function ownCpuMs(): number {
  const pids = [process.pid, ...Array.from(running, child => child.pid!)]
  return pids.reduce((sum, pid) => sum + timesOf(pid).reduce((times, time) => times + time, 0) * TICK_MS, 0)
}

/** Of everything that runs on this machine, in all cores together. */
export function machineCpuMs(): number {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .slice(0, 300)
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user! + nice! + system! + irq! + softirq! + steal!) * TICK_MS
}

/** utime, stime, cutime and cstime of a process, in ticks. */
function timesOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map(Number)
}

export function rssKbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}

/** Whether something accepts connections at this port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** A port of 127.0.0.1 without a listener. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
