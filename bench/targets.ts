/** The measured programs: how each is started in front of the mock backend, and what its clients send. */
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Shot } from './load.ts'
import { findNginx, nginxConfig, type Peer, portkeyScript } from './peers.ts'
import { freePort, gatewayCommand, isOpen, Pinned, TARGET_CORE } from './processes.ts'
import { ACCOUNT, type Behaviour, KEY, MODELS, PLANS } from './workload.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type TargetName = 'direct' | 'gateway' | 'bare' | Peer

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

/** Starts a target and waits until its port is open. `models`: further models of the gateway, which get no requests. */
export async function startTarget(name: TargetName, site: Site, models = 0): Promise<Target> {
  if (name === 'direct') return target(name, null, site.backendPort, '')
  const port = await freePort()
  const { process, headers } = STARTERS[name](site, port, models)
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

const STARTERS: Readonly<Record<Exclude<TargetName, 'direct'>, (site: Site, port: number, models: number) => Started>> =
  {
    gateway: startGateway,
    bare: ({ backendPort }, port) => ({
      process: new Pinned([join(root, 'bench', 'bare-proxy.ts'), String(port), String(backendPort)], {
        core: TARGET_CORE,
      }),
      headers: authorization,
    }),
    portkey: ({ backendPort }, port) => ({
      process: new Pinned([portkeyScript, `--port=${port}`, '--headless'], { core: TARGET_CORE }),
      headers: `${authorization}x-portkey-provider: openai\r\nx-portkey-custom-host: http://127.0.0.1:${backendPort}/v1\r\n`,
    }),
    nginx: ({ dir, backendPort }, port) => {
      const home = newHome(dir)
      writeFileSync(join(home, 'nginx.conf'), nginxConfig(port, backendPort))
      const args = ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr']
      return { process: new Pinned(args, { core: TARGET_CORE, program: findNginx()! }), headers: authorization }
    },
  }

const authorization = `authorization: Bearer ${KEY}\r\n`

let homes = 0

function newHome(dir: string): string {
  const home = join(dir, `target-${homes++}`)
  mkdirSync(home)
  return home
}

/** The gateway as it runs by default: the whole chain, log, journal, store and metrics. */
function startGateway({ dir, backendPort, profile }: Site, port: number, models: number): Started {
  const home = newHome(dir)
  const backends = [{ url: `http://127.0.0.1:${backendPort}/v1`, engine: 'vllm' }]
  const config = {
    listen: { host: '127.0.0.1', port },
    admin: { host: '127.0.0.1', port: 0 },
    store: 'sqlite:./store.db',
    journal: './journal',
    models: [
      ...Object.entries(MODELS).map(([behaviour, id]) => ({
        id,
        max_model_len: 33_554_432,
        pricing: { input: 10, cached_input: 2, output: 40 },
        ...(behaviour === 'vector' ? { kind: 'embedding' } : { capabilities: { tools: true } }),
        backends,
      })),
      ...Array.from({ length: models }, (_, i) => ({
        id: `other-${i}`,
        backends: backends.map(backend => ({ ...backend, model: MODELS.json })),
      })),
    ],
    plans: PLANS,
    accounts: [ACCOUNT],
  }
  const file = join(home, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const profiling = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', resolve(profile)]
  const { args, env } = gatewayCommand(file, profiling)
  const process = new Pinned(args, {
    core: TARGET_CORE,
    cwd: home,
    stdout: openSync(join(home, 'log'), 'w'),
    // As the command has it. The first start of a run fills it.
    env: { ...env, NODE_COMPILE_CACHE: join(dir, 'compile-cache') },
  })
  return { process, headers: authorization }
}

const START_MS = 60_000

async function untilOpen(port: number, process: Pinned): Promise<void> {
  const deadline = performance.now() + START_MS
  while (!(await isOpen(port))) {
    if (!process.alive || performance.now() > deadline) throw new Error(`a target does not start: ${process.stderr}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
