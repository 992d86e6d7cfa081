/** A gateway with two accounts whose members use the console, and signing in to it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { runCli } from './cli.ts'
import { ACCOUNT, configFile, KEY, type TestConfig, type TestGateway, testGateway } from './gateway.ts'

/** The account of which BOB alone is a member. */
export const OTHER = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
export const BOB = 'bob@test'
/** Of a member of ACCOUNT who does not manage it. */
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

function optionsFor(backend: string): TestConfig {
  return {
    backends: [backend],
    model: { pricing: { input: 100, output: 300 } },
    more: { accounts, plans: { team: { requests: { limit: 1000, window: '1d' } } } },
  }
}

/** In front of this backend. */
export async function consoleGateway(backend: string): Promise<TestGateway> {
  const options = optionsFor(backend)
  const gateway = await testGateway(options)
  writeFileSync(fileOf(gateway), JSON.stringify(configFile(gateway.dir, options)))
  return gateway
}

const fileOf = ({ dir }: TestGateway) => join(dir, 'config.json')

/** The link of `sluiceway login`. */
export async function loginLink(gateway: TestGateway, user: string): Promise<string> {
  const { out, err } = await runCli(['login', '--config', fileOf(gateway), '--url', gateway.url, user])
  if (err !== '') throw new Error(err)
  return out.trim()
}

/** Leaves the page at the console's first one. */
export async function signIn(gateway: TestGateway, page: Page, user: string): Promise<void> {
  await page.goto(await loginLink(gateway, user))
  await page.getByRole('link', { name: 'to the console' }).click()
}
