/** The engines and the gateway of one run, each in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EngineSpeed } from '../../simulator/engine-model.ts'
import { freePort, isOpen } from '../processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 30_000
export const KEY = 'service_bench_routing'

export interface Servers {
  readonly url: string
  /** Tokens of prompts that each engine has computed. */
  computed(): Promise<number[]>
  close(): Promise<void>
}

export interface ServersOptions {
  readonly engines: number
  readonly speed: EngineSpeed
  readonly policy: 'cost' | 'least_load'
  readonly workers: number
}

/** The model `m` has all engines as backends, `e0`, `e1` … one each. */
export async function startServers({ engines, speed, policy, workers }: ServersOptions): Promise<Servers> {
  const dir = mkdtempSync(join(tmpdir(), 'sluiceway-routing-'))
  const engineProcess = start([join(root, 'bench/routing/engines.ts'), String(engines), JSON.stringify(speed)])
  const [text] = (await once(engineProcess.stdout!, 'data')) as [Buffer]
  const ports = JSON.parse(text.toString()) as number[]
  const port = await freePort()
  const backends = ports.map(at => ({ url: `http://127.0.0.1:${at}/v1`, engine: 'vllm' }))
  const redis = workers > 1 ? await startRedis(dir) : undefined
  const config = {
    listen: { host: '127.0.0.1', port },
    admin: false,
    store: `sqlite:${join(dir, 'store.db')}`,
    journal: join(dir, 'journal'),
    files: { path: join(dir, 'files') },
    limits_store: redis === undefined ? 'memory' : redis.url,
    workers,
    log: { level: 'warn' },
    routing: { policy },
    models: [
      { id: 'm', backends },
      ...backends.map((backend, i) => ({ id: `e${i}`, backends: [{ ...backend, model: 'm' }] })),
    ],
    accounts: [
      {
        id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
        kind: 'serverless',
        models: ['*'],
        keys: [{ id: 'k', kind: 'serverless', secret: KEY }],
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
  return {
    url: `http://127.0.0.1:${port}`,
    computed: () =>
      Promise.all(ports.map(async at => Number(await (await fetch(`http://127.0.0.1:${at}/computed`)).text()))),
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
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await gone
  clearTimeout(timer)
}
