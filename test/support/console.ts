/** A gateway with two accounts whose members use the console, and functions to sign in. */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../lib/base/json.ts'
import { createLink, LOGIN_PARAMETER, LOGIN_PATH } from '../../lib/store/console-sessions.ts'
import { openStore } from '../../lib/store/store.ts'
import { ACCOUNT, KEY, type TestConfig, type TestGateway, testGateway } from './gateway.ts'

/** The account with BOB as its only member. */
export const OTHER = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
export const BOB = 'bob@test'
/** A member of ACCOUNT who does not manage it. */
export const CAROL_KEY = 'service_secret_of_carol'

const accounts = [
  {
    id: ACCOUNT,
    name: 'test',
    kind: 'serverless',
    models: ['*'],
    plan: 'team',
    credits_cents: 500,
    members: [
      { user: 'alice@test', role: 'owner' },
      { user: 'carol@test', role: 'member' },
    ],
    keys: [
      { id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY },
      { id: 'k2', user: 'carol@test', kind: 'serverless', secret: CAROL_KEY },
    ],
  },
  {
    id: OTHER,
    name: 'other',
    kind: 'serverless',
    models: ['*'],
    members: [{ user: BOB, role: 'member' }],
  },
]

function optionsFor(backend: string, slow: string, more: JsonObject): TestConfig {
  const model = (id: string, url: string, capabilities: JsonObject = {}) => {
    const backends = [{ url, model: 'upstream-m', engine: 'vllm' }]
    return { id, max_model_len: 8192, pricing: { input: 100, output: 300 }, capabilities, backends }
  }
  return {
    backends: [],
    more: {
      models: [model('m', backend), model('slow', slow, { reasoning: true })],
      accounts,
      plans: { team: { requests: { limit: 1000, window: '1d' } } },
      ...more,
    },
  }
}

/** The first backend serves the model `m`, the other one `slow`. `more`: further members of the configuration. */
export function consoleGateway(backend: string, slow: string, more: JsonObject = {}): Promise<TestGateway> {
  return testGateway(optionsFor(backend, slow, more))
}

/** A link like those of `sluiceway login`. */
export async function loginLink(gateway: TestGateway, user: string): Promise<string> {
  const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
  const link = await createLink(store, user, Date.now() * 1000)
  await store.close()
  return `${gateway.url}${LOGIN_PATH}?${LOGIN_PARAMETER}=${link}`
}

/** Signs in. The page is then at the first page of the console. */
export async function signIn(gateway: TestGateway, page: Page, user: string): Promise<void> {
  await page.goto(await loginLink(gateway, user))
  await page.getByRole('link', { name: 'open the console' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}
