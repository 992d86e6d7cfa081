/** Redis and gateways with one or several processes, and their figures from the kernel. Linux only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf, freePort, gatewayCommand, isOpen, rssKbOf } from '../processes.ts'
import { ACCOUNT, MODELS, PLANS } from '../workload.ts'

const START_MS = 20_000
const GRACE_MS = 8000

export interface Case {
  readonly label: string
  readonly workers: number
  /** Limits are counted in Redis instead of in the process. */
  readonly redis: boolean
  /** The account is prepaid. */
  readonly prepaid: boolean
}

/** A server with its child processes. */
export class Server {
  readonly port: number
  readonly #child: ChildProcess

  constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#child = child
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
  }

  get alive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** CPU time of all its processes so far, including the kernel's. */
  cpuMs(): number {
    return this.#pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  }

  rssKb(): number {
    return this.#pids().reduce((sum, pid) => sum + rssKbOf(pid), 0)
  }

  /** Processes that serve requests: its workers, or itself. */
  workers(): readonly number[] {
    const [own, ...children] = this.#pids()
    return children.length > 0 ? children : [own!]
  }

  async stop(): Promise<void> {
    if (!this.alive) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS)
    await gone
    clearTimeout(timer)
  }

  #pids(): number[] {
    const pid = this.#child.pid!
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [pid, ...children.map(Number)]
  }
}

export async function startRedis(dir: string): Promise<Server> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  // It is not alive if the program is not installed.
  child.once('error', () => {})
  const server = new Server(port, child)
  await until(server, () => isOpen(port))
  return server
}

export async function startGateway(one: Case, dir: string, backendPort: number, redisPort: number): Promise<Server> {
  const port = await freePort()
  const home = join(dir, one.label.replaceAll(/\W+/g, '-'))
  mkdirSync(home)
  const file = join(home, 'config.json')
  writeFileSync(file, JSON.stringify(configOf(one, port, backendPort, redisPort)))
  const log = join(home, 'log')
  const out = openSync(log, 'w')
  const { args, env } = gatewayCommand(file)
  const server = new Server(port, spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', out, out] }))
  // Printed when all workers listen.
  await until(server, () => /^ *Gateway +http/m.test(readFileSync(log, 'utf8')))
  return server
}

function configOf({ workers, redis, prepaid }: Case, port: number, backendPort: number, redisPort: number) {
  const backends = [{ url: `http://127.0.0.1:${backendPort}/v1`, engine: 'vllm' }]
  return {
    listen: { host: '127.0.0.1', port },
    admin: false,
    store: 'sqlite:./store.db',
    journal: './journal',
    workers,
    drain_seconds: 1,
    ...(redis && { limits_store: `redis://127.0.0.1:${redisPort}` }),
    models: Object.values(MODELS).map(id => ({
      id,
      max_model_len: 1_000_000,
      pricing: { input: 10, cached_input: 2, output: 40 },
      backends,
    })),
    plans: PLANS,
    accounts: [{ ...ACCOUNT, ...(prepaid && { credits_cents: 1_000_000_000 }) }],
  }
}

async function until(server: Server, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!(await holds())) {
    if (!server.alive || Date.now() > deadline) throw new Error('a server does not start')
    await sleep(20)
  }
}
