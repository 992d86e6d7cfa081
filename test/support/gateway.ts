/** A gateway on free ports in front of scripted backends, with all files in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { type Gateway, startGateway } from '../../lib/process/gateway.ts'
import type { RequestRecord } from '../../lib/store/record.ts'
import { recordsIn } from './kept-records.ts'

export const KEY = 'service_test_secret'
export const ACCOUNT = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'

export interface TestGateway {
  readonly gateway: Gateway
  readonly url: string
  readonly dir: string
  /** POST of a JSON body with the test key. */
  post(
    path: string,
    body: JsonObject | string,
    init?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** The value of a metric, summed over its labels. */
  metric(name: string, labels?: string): Promise<number>
  /** All records, oldest first. */
  records(): readonly RequestRecord[]
  close(): Promise<void>
}

export interface TestConfig {
  readonly backends: readonly string[]
  /** More members of the one model `m`, as YAML flow members. */
  readonly model?: JsonObject
  readonly more?: JsonObject
  readonly account?: JsonObject
}

/** An account of one member with these keys, as in a configuration file. */
export function serverlessAccount(id: string, ...secrets: readonly string[]): JsonObject {
  const user = `${id}@test`
  const keys = secrets.map(secret => ({ id: `k-${secret}`, user, kind: 'serverless', secret }))
  return { id, name: id, kind: 'serverless', models: ['*'], members: [{ user, role: 'owner' }], keys }
}

/** The configuration of a test, as in a configuration file. */
export function configFile(dir: string, { backends, model, more, account }: TestConfig): JsonObject {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    store: `sqlite:${join(dir, 'store.db')}`,
    journal: join(dir, 'journal'),
    files: { path: join(dir, 'files') },
    drain_seconds: 2,
    log: { level: 'silent' },
    models: [
      {
        id: 'm',
        aliases: ['alias'],
        max_model_len: 8192,
        capabilities: {
          tools: true,
          reasoning: true,
          chat_completions: { n: true, tools: true, streaming_tools: true },
        },
        backends: backends.map(url => ({ url, model: 'upstream-m', engine: 'vllm' })),
        ...model,
      },
    ],
    accounts: [
      {
        id: ACCOUNT,
        name: 'test',
        kind: 'serverless',
        models: ['*'],
        members: [{ user: 'alice@test', role: 'owner' }],
        keys: [{ id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY }],
        ...account,
      },
    ],
    ...more,
  }
}

export async function testGateway(options: TestConfig): Promise<TestGateway> {
  const dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  const config = parseConfig(JSON.stringify(configFile(dir, options)), { baseDir: dir, env: {}, fileName: 'test.json' })
  const gateway = await startGateway(config)
  const { url } = gateway
  return {
    gateway,
    url,
    dir,
    post: (path, body, { headers, signal } = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal === undefined ? null : { signal }),
      }),
    get: (path, headers = {}) => fetch(url + path, { headers: { authorization: `Bearer ${KEY}`, ...headers } }),
    async metric(name, labels = '') {
      const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
      return text
        .split('\n')
        .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .filter(line => line.includes(labels))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
    },
    records: () => recordsIn(dir),
    async close() {
      await gateway.drain()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Waits until the condition is true. Fails after a minute, or `ms`, which is far above the time on a busy machine. */
export async function eventually(holds: () => boolean | Promise<boolean>, what = 'it', ms = 60_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come true`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** Resolves with a value that has not changed for this time. */
export async function steady(value: () => number, ms: number): Promise<number> {
  let seen = Number.NaN
  await eventually(async () => {
    const before = seen
    seen = value()
    if (seen === before) return true
    await new Promise(resolve => setTimeout(resolve, ms))
    return false
  }, 'a steady value')
  return seen
}
