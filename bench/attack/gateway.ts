/** A gateway process with a heap of a given size, and its figures. Linux only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, gatewayCommand } from '../processes.ts'

export const KEYS = { attacker: 'service_attacker', other: 'service_other' } as const

/** A backend that floods is so busy that chats of others must not depend on it. */
export interface BackendPorts {
  readonly paced: number
  readonly flooding: number
}

export interface Figures {
  readonly heapMb: number
  /** Part of the heap limit of the process that is used. */
  readonly heapShare: number
  /** Longest time since the last call in which the event loop did nothing else, in ms. */
  readonly blockedMs: number
  readonly rssMb: number
}

export class Gateway {
  readonly port: number
  readonly #adminPort: number
  readonly #child: ChildProcess
  readonly #dir: string

  private constructor(port: number, adminPort: number, child: ChildProcess, dir: string) {
    this.port = port
    this.#adminPort = adminPort
    this.#child = child
    this.#dir = dir
  }

  /** `heapMb`: null for the default of the machine. */
  static async start(heapMb: number | null, backends: BackendPorts): Promise<Gateway> {
    const dir = mkdtempSync(join(tmpdir(), 'sluiceway-attack-'))
    const [port, adminPort] = [await freePort(), await freePort()]
    const config = join(dir, 'config.json')
    const account = (id: string, secret: string) => ({
      id,
      name: secret,
      keys: [{ id: secret, user: `${secret}@localhost`, kind: 'serverless', secret }],
      members: [{ user: `${secret}@localhost`, role: 'owner' }],
    })
    const model = (id: string, port: number) => ({
      id,
      capabilities: { tools: true },
      backends: [{ url: `http://127.0.0.1:${port}/v1` }],
    })
    writeFileSync(
      config,
      JSON.stringify({
        listen: { port },
        admin: { port: adminPort },
        store: `sqlite:${join(dir, 'store.db')}`,
        journal: join(dir, 'journal'),
        files: { path: join(dir, 'files') },
        log: { level: 'error' },
        models: [model('m', backends.paced), model('flood', backends.flooding)],
        accounts: [
          account('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21', KEYS.attacker),
          account('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22', KEYS.other),
        ],
      }),
    )
    const heap = heapMb === null ? [] : [`--max-old-space-size=${heapMb}`]
    const { args, env } = gatewayCommand(config, heap)
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    process.once('exit', () => child.kill('SIGKILL'))
    const gateway = new Gateway(port, adminPort, child, dir)
    const deadline = Date.now() + 30_000
    while (!(await gateway.#metrics())) {
      if (Date.now() > deadline) throw new Error('the gateway did not start')
      await sleep(100)
    }
    return gateway
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async figures(): Promise<Figures | undefined> {
    const text = await this.#metrics()
    if (text === undefined) return undefined
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    const heap = value('nodejs_heap_size_used_bytes')
    return {
      heapMb: heap / 2 ** 20,
      // By default the budget of bodies is a quarter of the heap limit.
      heapShare: heap / (4 * value('sluiceway_bodies_limit_bytes')),
      blockedMs: value('nodejs_eventloop_lag_max_seconds') * 1000,
      rssMb: this.rssMb(),
    }
  }

  rssMb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1]) / 1024
  }

  async stop(): Promise<void> {
    if (this.alive) {
      const gone = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await gone
    }
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5 })
  }

  async #metrics(): Promise<string | undefined> {
    try {
      return await (await fetch(`http://127.0.0.1:${this.#adminPort}/metrics`)).text()
    } catch {
      return undefined
    }
  }
}
