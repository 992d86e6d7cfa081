/** The operators' pages of a gateway in front of a simulated backend, used without scripts. */
import { join } from 'node:path'
import { issueOperatorKey } from '../../lib/admin/operators.ts'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore } from '../../lib/store/store.ts'
import { createSimulator, type Simulator } from '../../simulator/server.ts'
import { type TestConfig, type TestGateway, testGateway } from './gateway.ts'
import { silent } from './stores.ts'

export interface Shown {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface OperatorPagesOf {
  readonly gateway: TestGateway
  readonly simulator: Simulator
  readonly origin: string
  /** Key of the operator alice. */
  readonly key: string
  readonly cookie: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>
  /** Sends a form of the session with its token, and follows a redirect. */
  send(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>
  /** A request to the operators' API. */
  api(method: string, path: string, body?: JsonObject): Promise<JsonObject>
  close(): Promise<void>
}

/** Creates a key like the command, in another process than the gateway. */
export async function operatorKey({ dir }: Pick<TestGateway, 'dir'>, name = 'alice', brand = 'service') {
  const store = await openStore(`sqlite:${join(dir, 'store.db')}`, { log: silent })
  const config = { brand } as Parameters<typeof issueOperatorKey>[0]['config']
  const actor = { name: 'command line (root)', address: null }
  const made = await issueOperatorKey({ store, config, actor, now: systemClock.micros() }, name)
  await store.close()
  return made
}

export async function operatorPagesOf(more: Partial<TestConfig> = {}): Promise<OperatorPagesOf> {
  const simulator = createSimulator({ models: [{ id: 'upstream-m' }], tokens_per_second: 0, first_token_ms: 0 })
  const port = await simulator.listen(0, '127.0.0.1')
  const gateway = await testGateway({
    backends: [`http://127.0.0.1:${port}/v1`],
    ...more,
    more: { admin: { host: '127.0.0.1', port: 0, api: true }, ...more.more },
  })
  const origin = gateway.gateway.adminUrl!
  const { secret: key } = await operatorKey(gateway)
  const cookie = await signIn(origin, key)
  const get = async (path: string, headers = {}) =>
    shown(await fetch(origin + path, { headers: { cookie, ...headers } }))
  const token = tokenOf((await get('/')).text)
  return {
    gateway,
    simulator,
    origin,
    key,
    cookie,
    get,
    async send(path, fields, headers = {}) {
      const body = new URLSearchParams({ csrf_token: token, ...fields })
      const init = { method: 'POST', body, headers: { cookie, ...headers }, redirect: 'manual' } as const
      const response = await fetch(origin + path, init)
      const to = response.headers.get('location')
      return response.status === 303 && to !== null ? get(to) : shown(response)
    },
    async api(method, path, body) {
      const headers = { authorization: `Bearer ${key}` }
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      return (await (await fetch(origin + path, init)).json()) as JsonObject
    },
    async close() {
      await gateway.close()
      await simulator.close()
    },
  }
}

/** The cookie of a new session. */
export async function signIn(origin: string, key: string): Promise<string> {
  const body = new URLSearchParams({ key })
  const response = await fetch(`${origin}/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

export function tokenOf(page: string): string {
  return /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text of a page or a part, without tags. */
export function textIn(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name]!)
    .replace(/\s+/g, ' ')
    .trim()
}

/** The hidden fields of a form. */
export function hiddenIn(form: string): Record<string, string> {
  const fields = form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries(Array.from(fields, ([, name, value]) => [name!, textIn(value!)]))
}

async function shown(response: Response): Promise<Shown> {
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Call in a describe. `more`: a function if other hooks must run before. */
export function usePages(more?: Partial<TestConfig> | (() => Partial<TestConfig>)): () => OperatorPagesOf {
  let pages: OperatorPagesOf
  before(async () => {
    pages = await operatorPagesOf(typeof more === 'function' ? more() : more)
  })
  after(() => pages?.close())
  return () => pages
}
