/** A gateway with every page, in a process of its own, in front of a simulated engine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator } from '../../simulator/server.ts'
import { cpuMsOf, freePort, gatewayCommand } from '../processes.ts'
import { ACCOUNT, ENDPOINT, MODELS, USERS } from './seed.ts'

export interface BenchGateway {
  /** Base URLs of the customers' and the operators' port. */
  readonly url: string
  readonly adminUrl: string
  /** A key of the large account. */
  readonly key: string
  /** CPU time of all its threads so far. */
  cpuMs(): number
  stop(): Promise<void>
}

const START_MS = 60_000
const KEY = 'service_bench_console'

/** `store`: its URL. `dir`: for journal and log. */
export async function startBenchGateway(store: string, dir: string): Promise<BenchGateway> {
  mkdirSync(dir, { recursive: true })
  const engine = createSimulator({ models: MODELS.map(id => ({ id })), first_token_ms: 50, tokens_per_second: 50 })
  const backend = `http://127.0.0.1:${await engine.listen(0, '127.0.0.1')}/v1`
  const [port, adminPort] = [await freePort(), await freePort()]
  const file = join(dir, 'gateway.json')
  writeFileSync(file, JSON.stringify(configOf(store, backend, port, adminPort)))
  const log = join(dir, 'log')
  const out = openSync(log, 'w')
  const { args, env } = gatewayCommand(file)
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', out, out] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const deadline = Date.now() + START_MS
  while (!/^ *Gateway +http/m.test(readFileSync(log, 'utf8'))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(readFileSync(log, 'utf8').slice(-2000))
    await sleep(50)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    key: KEY,
    cpuMs: () => cpuMsOf(child.pid!),
    async stop() {
      process.off('exit', kill)
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await engine.close()
    },
  }
}

function configOf(store: string, url: string, port: number, adminPort: number) {
  return {
    listen: { host: '127.0.0.1', port },
    admin: { host: '127.0.0.1', port: adminPort, api: true },
    store,
    journal: './journal',
    drain_seconds: 1,
    log: { level: 'warn' },
    // What is older is not what the store was filled with.
    retention_days: 40,
    models: MODELS.map(id => ({
      id,
      max_model_len: 32_768,
      pricing: { input: 10, cached_input: 2, output: 40 },
      backends: [{ url, engine: 'vllm' }],
    })),
    endpoints: [{ host: ENDPOINT, models: [...MODELS] }],
    plans: { large: { requests: { limit: 100_000_000, window: '30d' } } },
    accounts: [
      {
        id: ACCOUNT,
        name: 'large',
        plan: 'large',
        credits_cents: 100,
        members: USERS.map((user, i) => ({ user, role: i === 0 ? 'owner' : 'member' })),
        keys: [{ id: 'bench', user: USERS[0], kind: 'serverless', secret: KEY }],
      },
    ],
  }
}
