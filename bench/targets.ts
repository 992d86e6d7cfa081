/** The measured programs: how each is started in front of the mock backend, and what its clients send. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import nodeFlags from '../bin/node-flags.json' with { type: 'json' }
import type { Shot } from './load.ts'
import { freePort, isOpen, Pinned, TARGET_CORE } from './processes.ts'
import { ACCOUNT, type Behaviour, KEY, MODELS, PLANS } from './workload.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type TargetName = 'direct' | 'gateway' | 'bare' | 'portkey'

export interface Target {
  readonly name: TargetName
  /** No proxy: the cost of the measurement itself. */
  readonly process: Pinned | null
  readonly port: number
  /** A request to this target. */
  shot(behaviour: Behaviour, bytes: number, api?: Shot['api']): Shot
  stop(): Promise<void>
}

export interface Site {
  /** Temporary folder of this run. */
  readonly dir: string
  readonly backendPort: number
  /** Folder of the gateway's CPU profiles; null: none are written. */
  readonly profile: string | null
}

/** Starts a target and waits until its port is open. */
export async function startTarget(name: TargetName, site: Site): Promise<Target> {
  if (name === 'direct') return target(name, null, site.backendPort, '')
  const port = await freePort()
  const { process, headers } = STARTERS[name](site, port)
  await untilOpen(port, process)
  return target(name, process, port, headers)
}

function target(name: TargetName, process: Pinned | null, port: number, headers: string): Target {
  return {
    name,
    process,
    port,
    shot: (behaviour, bytes, api = 'chat') => ({ port, headers, api, behaviour, bytes }),
    stop: async () => process?.stop(),
  }
}

interface Started {
  readonly process: Pinned
  readonly headers: string
}

const STARTERS: Readonly<Record<Exclude<TargetName, 'direct'>, (site: Site, port: number) => Started>> = {
  gateway: startGateway,
  bare: ({ backendPort }, port) => ({
    process: new Pinned([join(root, 'bench', 'bare-proxy.ts'), String(port), String(backendPort)], {
      core: TARGET_CORE,
    }),
    headers: authorization,
  }),
  portkey: ({ dir, backendPort }, port) => ({
    process: new Pinned([portkeyScript(dir), `--port=${port}`, '--headless'], { core: TARGET_CORE }),
    headers: `${authorization}x-portkey-provider: openai\r\nx-portkey-custom-host: http://127.0.0.1:${backendPort}/v1\r\n`,
  }),
}

const authorization = `authorization: Bearer ${KEY}\r\n`

let gateways = 0

/** The gateway as it runs by default: the whole chain, log, journal, store and metrics. */
function startGateway({ dir, backendPort, profile }: Site, port: number): Started {
  const home = join(dir, `gateway-${gateways++}`)
  mkdirSync(home)
  const backends = [{ url: `http://127.0.0.1:${backendPort}/v1`, engine: 'vllm' }]
  const config = {
    listen: { host: '127.0.0.1', port },
    admin: { host: '127.0.0.1', port: 0 },
    store: 'sqlite:./store.db',
    journal: './journal',
    models: Object.values(MODELS).map(id => ({
      id,
      max_model_len: 33_554_432,
      pricing: { input: 10, cached_input: 2, output: 40 },
      capabilities: { tools: true },
      backends,
    })),
    plans: PLANS,
    accounts: [ACCOUNT],
  }
  const file = join(home, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const profiling = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)]
  const process = new Pinned(
    [...nodeFlags, ...profiling, join(root, 'lib', 'cli', 'main.ts'), 'serve', '--config', file],
    {
      core: TARGET_CORE,
      cwd: home,
      stdout: openSync(join(home, 'log'), 'w'),
    },
  )
  return { process, headers: authorization }
}

function portkeyScript(dir: string): string {
  return join(dir, 'portkey', 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
}

/** Installs the other gateway into the run's folder. False: no registry is reachable, or it does not run here. */
export function installPortkey(dir: string): boolean {
  const home = join(dir, 'portkey')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const args = ['install', '@portkey-ai/gateway@1.15.2', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', args, { cwd: home, stdio: 'ignore', timeout: 120_000 })
  return done.status === 0 && existsSync(portkeyScript(dir))
}

const START_MS = 20_000

async function untilOpen(port: number, process: Pinned): Promise<void> {
  const deadline = performance.now() + START_MS
  while (!(await isOpen(port))) {
    if (!process.alive || performance.now() > deadline) throw new Error(`a target does not start: ${process.stderr}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
