/** The worker processes of a primary: starts them, replaces those that end, and ends them. */
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { WORKER_STDIO } from './process-log.ts'
import { isMessage, sendToWorker, type WorkerReadiness } from './worker-channel.ts'

/** Delay before a worker is replaced. It limits how often a worker that cannot start is started again. */
const RESTART_MS = 1000

interface WorkersHost {
  readonly log: Logger
  /** A worker has ended, and will be replaced. */
  onRestart(): void
}

export class Workers {
  readonly #host: WorkersHost
  readonly #reports = new Map<Worker, WorkerReadiness>()
  #config: Config
  #isEnding = false

  constructor(config: Config, host: WorkersHost) {
    this.#config = config
    this.#host = host
  }

  /** Starts `config.workers` processes. Resolves with their URL when all of them listen; rejects if one ends before. */
  async start(): Promise<string> {
    cluster.on('message', this.#onMessage)
    const url = await firstUrl(this.#config.workers)
    cluster.on('exit', this.#onExit)
    return url
  }

  all(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
  }

  /** The workers that have started. One that still starts has counted nothing, and does not answer yet. */
  started(): readonly Worker[] {
    return [...this.#reports.keys()]
  }

  /** Any worker that can answer: workers share what they know. undefined: no worker is running. */
  any(): Worker | undefined {
    return this.all().find(worker => worker.isConnected())
  }

  /** Reasons for not being ready; empty: all workers are ready. A connection may reach any of them. */
  readiness(): readonly string[] {
    if (this.#isEnding) return ['draining']
    return this.any() === undefined ? ['no worker is running'] : this.#reported('unready')
  }

  notes(): readonly string[] {
    return this.#reported('notes')
  }

  /** Applies a configuration to all workers, and to those that replace them. */
  update(config: Config): void {
    this.#config = config
    for (const worker of this.all()) sendToWorker(worker, { kind: 'config', config })
  }

  /** Drains all workers, and waits for their ends. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.all().map(ended))
    cluster.off('exit', this.#onExit)
    cluster.off('message', this.#onMessage)
  }

  #reported(member: keyof WorkerReadiness): readonly string[] {
    return [...new Set([...this.#reports.values()].flatMap(report => report[member]))]
  }

  readonly #onMessage = (worker: Worker, message: unknown): void => {
    if (isMessage(message, 'readiness')) this.#reports.set(worker, message)
    if (isMessage(message, 'config-request')) sendToWorker(worker, { kind: 'config', config: this.#config })
  }

  readonly #onExit = (worker: Worker, code: number, signal: string): void => {
    this.#reports.delete(worker)
    if (this.#isEnding) return
    this.#host.log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is replaced')
    this.#host.onRestart()
    setTimeout(() => {
      if (!this.#isEnding) fork()
    }, RESTART_MS)
  }
}

/** Starts this many workers. Resolves with their URL when all listen; rejects if one ends before. */
function firstUrl(count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let listening = 0
    const onListening = (_worker: Worker, message: unknown) => {
      if (!isMessage(message, 'listening')) return
      listening++
      if (listening === count) done(() => resolve(message.url))
    }
    const onExit = (_worker: Worker, code: number) =>
      done(() => reject(new StartError(`a worker could not start (exit code ${code}): see its messages above`)))
    const done = (settle: () => void) => {
      cluster.off('message', onListening)
      cluster.off('exit', onExit)
      settle()
    }
    cluster.on('message', onListening)
    cluster.on('exit', onExit)
    for (let i = 0; i < count; i++) fork()
  })
}

/**
 * Starts a worker. Its log writes to stdout over descriptor 4: the start and the end of a process make descriptors 0
 * to 2 blocking. All processes that have a socket, as under systemd, share that flag. The primary passes on what else
 * a worker writes, such as a crash.
 */
function fork(): void {
  cluster.setupPrimary({ stdio: WORKER_STDIO })
  const { stdout, stderr } = cluster.fork().process
  stdout?.on('data', data => process.stdout.write(data))
  stderr?.on('data', data => process.stderr.write(data))
}

/** Drains a worker, and waits for its end. */
function ended(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    worker.once('exit', () => resolve())
    worker.process.kill('SIGTERM')
  })
}
