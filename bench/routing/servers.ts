/** Starts the engines and the gateway of one run, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../lib/base/json.ts'
import type { EngineSpeed } from '../../simulator/engine-speed.ts'
import type { TimedRequest } from '../../simulator/timed-engine.ts'
import { cpuMsOf, cpuMsOfAll, freePort, isOpen } from '../processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 30_000
export const KEY = 'service_bench_routing'
const USER = 'bench@test'

export interface Servers {
  readonly url: string
  readonly adminUrl: string
  /** Of the engines of the model `m`. */
  readonly engineUrls: readonly string[]
  /** Prompt tokens that each engine has computed. */
  computed(): Promise<number[]>
  /** Requests that the engines have answered, in no particular order. */
  requests(): Promise<TimedRequest[]>
  /** CPU time so far, in milliseconds. */
  cpuMs(): CpuMs
  close(): Promise<void>
}

export interface CpuMs {
  readonly clients: number
  /** Including its workers. */
  readonly gateway: number
  readonly engines: number
}

export interface ServersOptions {
  readonly engines: number
  readonly speed: EngineSpeed
  /** Tokens per event of an answer. */
  readonly eventTokens: number
  readonly policy: 'cost' | 'least_load'
  readonly workers: number
  /** Further members of the configuration. */
  readonly more?: JsonObject
}

/** Number of engines of the model `warm`, which is only used for the warm-up. */
const WARM_ENGINES = 2

/** The backends of the model `m` are all engines, those of `e0`, `e1` … one each. `warm` has two engines of its own. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { engines, speed, eventTokens, policy, workers, more } = options
  const dir = mkdtempSync(join(tmpdir(), 'sluiceway-routing-'))
  const engineArguments = [String(engines + WARM_ENGINES), JSON.stringify(speed), JSON.stringify({ eventTokens })]
  const engineProcess = start([join(root, 'bench/routing/engines.ts'), ...engineArguments])
  const [text] = (await once(engineProcess.stdout!, 'data')) as [Buffer]
  const all = JSON.parse(text.toString()) as number[]
  const ports = all.slice(0, engines)
  const port = await freePort()
  const adminPort = await freePort()
  const backendsOf = (of: readonly number[]) => of.map(at => ({ url: `http://127.0.0.1:${at}/v1`, engine: 'vllm' }))
  const backends = backendsOf(ports)
  const redis = workers > 1 ? await startRedis(dir) : undefined
  const config = {
    listen: { host: '127.0.0.1', port },
    admin: { host: '127.0.0.1', port: adminPort },
    store: `sqlite:${join(dir, 'store.db')}`,
    journal: join(dir, 'journal'),
    files: { path: join(dir, 'files') },
    limits_store: redis === undefined ? 'memory' : redis.url,
    workers,
    log: { level: 'warn' },
    routing: { policy },
    models: [
      { id: 'm', backends },
      { id: 'warm', backends: backendsOf(all.slice(engines)) },
      ...backends.map((backend, i) => ({ id: `e${i}`, backends: [{ ...backend, model: 'm' }] })),
    ],
    ...more,
    accounts: [
      {
        id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
        kind: 'serverless',
        models: ['*'],
        members: [{ user: USER, role: 'owner' }],
        keys: [{ id: 'k', user: USER, kind: 'serverless', secret: KEY }],
      },
    ],
  }
  const file = join(dir, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const gateway = start([join(root, 'bin/sluiceway.mjs'), 'serve', '--config', file])
  const deadline = performance.now() + START_MS
  while (!(await isOpen(port))) {
    if (gateway.exitCode !== null || performance.now() > deadline) throw new Error('the gateway did not start')
    await sleep(50)
  }
  const ask = <T>(path: string) =>
    Promise.all(ports.map(async at => (await (await fetch(`http://127.0.0.1:${at}/${path}`)).json()) as T))
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    engineUrls: ports.map(at => `http://127.0.0.1:${at}`),
    computed: () => ask<number>('computed'),
    requests: async () => (await ask<TimedRequest[]>('requests')).flat(),
    cpuMs: () => ({
      clients: cpuMsOf(process.pid),
      gateway: cpuMsOfAll(gateway.pid!),
      engines: cpuMsOf(engineProcess.pid!),
    }),
    async close() {
      for (const child of [gateway, engineProcess, redis?.child]) await stop(child)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startRedis(dir: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const deadline = performance.now() + START_MS
  while (!(await isOpen(port)) && performance.now() < deadline) await sleep(50)
  return { url: `redis://127.0.0.1:${port}`, child }
}

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(timer)
}
