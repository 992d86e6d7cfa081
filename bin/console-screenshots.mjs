// Takes the screenshots of docs/CONSOLE.md: from a running gateway in front of simulated engines, with a month of
// usage.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { chromium } from 'playwright-core'
import { root } from './bootstrap.mjs'

const { openStore } = await import('../lib/store/store.ts')
const { consoleGateway, signIn } = await import('../test/support/console.ts')
const { ACCOUNT, KEY } = await import('../test/support/gateway.ts')
const { operatorKey } = await import('../test/support/operators.ts')
const { insertRecords, makeRecord } = await import('../test/support/record.ts')
const { closeSimulators, simulatorWith } = await import('../test/support/simulator.ts')

const FOLDER = join(root, 'docs', 'images')
const DAY = 86_400_000

/** Records of a month, with two models and two members, in waves. */
function monthOfUsage(now) {
  const records = []
  for (let day = 1; day < 30; day++) {
    for (const [model, user, size] of [
      ['m', 'alice@test', 9000],
      ['slow', 'carol@test', 4000],
    ]) {
      const wave = 1 + Math.sin((day + size / 1000) / 3)
      const created_at = (now - day * DAY) * 1000
      const tokens = { input_tokens: Math.round(size * 10 * wave), output_tokens: Math.round(size * wave) }
      const owner = { account_id: ACCOUNT, user_id: user, surface: 'gateway', endpoint: null, model_resolved: model }
      for (let i = 0; i < 3; i++) records.push(makeRecord({ ...owner, ...tokens, created_at: created_at - i }))
    }
  }
  return records
}

/** Sends typical requests: answered, streamed, refused. */
async function traffic(url) {
  const messages = [{ role: 'user', content: 'Say hello.' }]
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  for (const more of [{}, { stream: true }, { max_tokens: 1_000_000 }, { stream: true }, { model: 'nope' }, {}, {}]) {
    const body = JSON.stringify({ model: 'm', messages, ...more })
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
  }
}

const models = [{ id: 'upstream-m' }]
const engine = await simulatorWith({ answer_tokens: 60, first_token_ms: 120, tokens_per_second: 200, models })
const gateway = await consoleGateway(`${engine.root}/v1`, `${engine.root}/v1`, {
  admin: { host: '127.0.0.1', port: 0, api: true },
})
const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
await insertRecords(store, monthOfUsage(Date.now()))
await store.close()
await traffic(gateway.url)

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const pictureOf = async (file, signedIn, scheme, height, steps) => {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width: 1040, height } })
  const page = await context.newPage()
  await signedIn(page)
  await steps(page)
  await page.screenshot({ path: join(FOLDER, file) })
  await context.close()
}
const picture = (name, ...rest) =>
  pictureOf(`console-${name}.png`, page => signIn(gateway, page, 'alice@test'), ...rest)
const operators = gateway.gateway.adminUrl
const { secret: key } = await operatorKey(gateway)
const operatorPicture = (name, ...rest) => pictureOf(`operators-${name}.png`, enter, ...rest)
async function enter(page) {
  await page.goto(operators)
  await page.getByLabel('Key of an operator').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor()
}

mkdirSync(FOLDER, { recursive: true })
await picture('usage', 'light', 820, async page => {
  await page.goto(`${gateway.url}/console/usage?who=team`)
  await page.locator('.plot canvas').waitFor()
})
await picture('requests', 'light', 640, async page => {
  await page.goto(`${gateway.url}/console/requests`)
  // The newest records are still moving into the store.
  await page.getByText('model_not_found').waitFor()
})
await picture('request', 'dark', 640, async page => {
  await page.goto(`${gateway.url}/console/requests`)
  const streamed = page.locator('tr', { hasNot: page.getByText('–') }).locator('td a')
  await streamed.first().click()
  await page.getByText('Parts of the time').waitFor()
})
await picture('keys', 'light', 640, async page => {
  for (const label of ['laptop', 'deploy pipeline']) {
    await page.goto(`${gateway.url}/console/keys`)
    await page.getByLabel('Label').fill(label)
    await page.getByRole('button', { name: 'Create key' }).click()
  }
  await page.goto(`${gateway.url}/console/keys`)
})
await picture('try', 'dark', 680, async page => {
  await page.goto(`${gateway.url}/console/try`)
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('Answered in').waitFor({ timeout: 60_000 })
})
await operatorPicture('now', 'light', 820, async page => {
  await traffic(gateway.url)
  // The reload shows the requests above in the plots.
  await page.reload()
  await page.locator('.plot canvas').first().waitFor()
})
await operatorPicture('request', 'dark', 640, async page => {
  await page.goto(`${operators}/requests?status=errors`)
  await page.locator('tbody tr td a').first().click()
  await page.waitForURL(/\/requests\/./)
})
await operatorPicture('account', 'light', 820, async page => {
  await page.goto(`${operators}/accounts/${ACCOUNT}`)
  await page.locator('.plot canvas').first().waitFor()
})
await browser.close()
await gateway.close()
await closeSimulators()
