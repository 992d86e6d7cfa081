/** The delay of a gateway's event loop, with running streams, while its routes query the store. */
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Helper } from '../helper.ts'
import type { OpenOptions } from '../load.ts'
import { HELPER_CORE, Pinned, TARGET_CORE } from '../processes.ts'
import { KEY, MODELS } from '../workload.ts'
import type { Delay } from './gateway.ts'
import { ACCOUNT, ENDPOINT, USERS } from './seed.ts'

const DEDICATED_KEY = 'service_bench_dedicated'
const STREAMS = 200
const SECONDS = 10

/** The slowest requests, sent one after the other, repeatedly. */
const ROUTES = [
  '/v1/endpoints/requests?limit=200&min_ttft_ms=600000',
  '/v1/endpoints/requests?limit=200&min_ttft_ms=120',
  '/v1/endpoints/requests?limit=200&min_ttft_ms=1500&max_cache_hit_pct=3',
  '/v1/endpoints/requests?limit=200&tag=batch&max_total_latency_ms=40',
  '/v1/endpoints/requests?limit=200&errors_only=true',
  '/v1/endpoints/metrics?range_minutes=60',
  '/v1/endpoints/metrics?range_minutes=10080',
  '/v1/usage/team?period=30d',
] as const

export interface LoopReport {
  readonly streams: number
  /** With streams only. */
  readonly alone: Delay
  readonly asked: Delay
  readonly questions: number
  /** Responses other than 200. */
  readonly refused: number
}

/** `url`: a seeded store. */
export async function measureLoop(url: string, dir: string): Promise<LoopReport> {
  mkdirSync(dir, { recursive: true })
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const started = [
    new Pinned([file('../backend.ts')], { core: HELPER_CORE, ipc: true }),
    new Pinned([file('../load.ts')], { core: HELPER_CORE, ipc: true }),
    new Pinned([file('gateway.ts')], { core: TARGET_CORE, ipc: true }),
  ]
  const [backend, load, gateway] = started.map(one => new Helper(one))
  try {
    const config = configOf(url, await backend!.ask<number>('port'))
    const port = await gateway!.ask<number>('start', { config, dir })
    const streams: OpenOptions = {
      port,
      headers: `authorization: Bearer ${KEY}\r\n`,
      ...{ api: 'chat', behaviour: 'paced', bytes: 2000, streams: STREAMS, perSecond: 200 },
    }
    await load!.ask('open', streams)
    await sleep(2000)
    await gateway!.ask('reset')
    await sleep(SECONDS * 1000)
    const alone = await gateway!.ask<Delay>('delay')
    await gateway!.ask('reset')
    const answers = await askAll(`http://127.0.0.1:${port}`)
    const asked = await gateway!.ask<Delay>('delay')
    await load!.ask('close')
    await gateway!.ask('stop')
    return { streams: STREAMS, alone, asked, questions: answers.length, refused: answers.filter(ok => !ok).length }
  } finally {
    for (const one of started) await one.stop()
  }
}

/** Whether every response was a 200. */
async function askAll(gateway: string): Promise<readonly boolean[]> {
  const answers: boolean[] = []
  const end = performance.now() + SECONDS * 1000
  for (let i = 0; performance.now() < end; i++) {
    const route = ROUTES[i % ROUTES.length]!
    const key = route.startsWith('/v1/usage') ? KEY : DEDICATED_KEY
    const reply = await fetch(`${gateway}${route}&endpoint=${ENDPOINT}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await reply.arrayBuffer()
    answers.push(reply.status === 200)
  }
  return answers
}

function configOf(store: string, backendPort: number) {
  const models = Object.values(MODELS)
  return {
    listen: { host: '127.0.0.1', port: 0 },
    admin: false,
    store,
    journal: './journal',
    drain_seconds: 1,
    log: { level: 'silent' },
    rate_limits_per_minute: Object.fromEntries(
      ['endpoints', 'metrics', 'requests', 'request', 'usage'].map(name => [name, 1_000_000]),
    ),
    models: models.map(id => ({
      id,
      max_model_len: 1_000_000,
      backends: [{ url: `http://127.0.0.1:${backendPort}/v1`, engine: 'vllm' }],
    })),
    endpoints: [{ host: ENDPOINT, models }],
    accounts: [
      {
        id: ACCOUNT,
        name: 'bench',
        members: [{ user: USERS[0], role: 'owner' }],
        keys: [{ id: 'bench', user: USERS[0], kind: 'serverless', secret: KEY }],
      },
      {
        id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22',
        name: 'dedicated',
        keys: [{ id: 'dedicated', kind: 'dedicated', secret: DEDICATED_KEY, endpoints: [ENDPOINT] }],
      },
    ],
  }
}
