// Takes pictures of the console and of the operators' pages, from a running gateway in front of simulated engines with
// a month of usage: every page in three widths and both colour schemes in screenshots/, which is not committed, and
// those of docs/CONSOLE.md in docs/images. With parts of names, only those pages in screenshots/; `documented`: only
// docs/images.
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

const IMAGES = join(root, 'docs', 'images')
const ALL = join(root, 'screenshots')
const DAY = 86_400_000
const WIDTHS = [1280, 1920, 360]
const SCHEMES = ['light', 'dark']
const wanted = process.argv.slice(2)

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

/** Sends typical requests: answered, streamed, refused, failed. */
async function traffic(url, count = 1) {
  const messages = [{ role: 'user', content: 'Say hello.' }]
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const failing = { messages: [{ role: 'user', content: 'simulate: status=500' }] }
  const kinds = [{}, { stream: true }, { max_tokens: 1_000_000 }, { stream: true }, { model: 'nope' }, {}, failing]
  for (let i = 0; i < count; i++) {
    for (const more of kinds) {
      const body = JSON.stringify({ model: 'm', messages, ...more })
      await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    }
  }
}

const models = [{ id: 'upstream-m' }]
const engine = await simulatorWith({ answer_tokens: 60, first_token_ms: 120, tokens_per_second: 200, models })
// Nothing listens at the second address of the second model.
const gateway = await consoleGateway(`${engine.root}/v1`, 'http://127.0.0.1:9/v1', {
  admin: { host: '127.0.0.1', port: 0, api: true },
  brand: 'acme',
  console: { alerts: true },
  environment: 'staging',
  stored_models: true,
})
const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
await insertRecords(store, monthOfUsage(Date.now()))
await store.close()
await traffic(gateway.url, 3)

const operators = gateway.gateway.adminUrl
const { secret: key } = await operatorKey(gateway, 'alice', 'acme')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

async function enter(page) {
  await page.goto(operators)
  await page.getByLabel('Key of an operator').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}
const customer = page => signIn(gateway, page, 'alice@test')
const stranger = async () => {}

/** A session that several pages use. */
async function sessionOf(signedIn) {
  const context = await browser.newContext()
  await signedIn(await context.newPage())
  return context.storageState()
}
const sessions = new Map()
for (const signedIn of [customer, enter, stranger]) sessions.set(signedIn, await sessionOf(signedIn))

const goTo = path => async page => {
  await page.goto(path.startsWith('http') ? path : gateway.url + path)
}
const operator = path => goTo(`${operators}${path}`)
/** Opens a page, and there the first link of a table that matches. */
const firstLink = (open, selector) => async page => {
  await open(page)
  await page.locator(selector).first().click()
  await page.waitForURL(/\/(requests|keys|accounts|models)\/./)
}
const createKey = async page => {
  await page.goto(`${gateway.url}/console/keys`)
  await page.getByLabel('Label').fill('laptop')
  await page.getByRole('button', { name: 'Create key' }).click()
}
const changeKey = async page => {
  await createKey(page)
  await firstLink(goTo('/console/keys'), 'td a')(page)
}
const createAlert = async page => {
  await page.goto(`${gateway.url}/console/alerts`)
  await page.getByLabel('Sent when').selectOption('balance_below_cents')
  await page.getByLabel('Percent, or USD').fill('10')
  await page.getByLabel('URL of the receiver').fill('https://example.com/alerts')
  await page.getByRole('button', { name: 'Create alert' }).click()
}
const question = async page => {
  await operator('/')(page)
  await page
    .getByRole('button', { name: /^Drain/ })
    .first()
    .click()
}
const keyMenu = async page => {
  await operator(`/accounts/${ACCOUNT}/keys`)(page)
  await page.getByLabel('Label').fill('laptop')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('link', { name: 'To the keys' }).click()
  await page.locator('.menu summary').first().click()
}
const ask = async page => {
  await page.goto(`${gateway.url}/console/try`)
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('Answered in').waitFor({ timeout: 60_000 })
}

/** Name, session and steps of each page. */
const PAGES = [
  ['console-sign-in', stranger, goTo('/console')],
  ['console-overview', customer, goTo('/console')],
  ['console-usage', customer, goTo('/console/usage?who=team')],
  ['console-requests', customer, goTo('/console/requests')],
  ['console-requests-empty', customer, goTo('/console/requests?model=none')],
  ['console-request', customer, firstLink(goTo('/console/requests?errors=1'), 'td a')],
  ['console-new-key', customer, createKey],
  ['console-keys', customer, goTo('/console/keys')],
  ['console-key', customer, changeKey],
  ['console-alerts', customer, goTo('/console/alerts')],
  ['console-new-alert', customer, createAlert],
  ['console-try', customer, ask],
  ['operators-sign-in', stranger, operator('/')],
  ['operators-overview', enter, operator('/')],
  ['operators-drain', enter, question],
  ['operators-requests', enter, operator('/requests')],
  ['operators-requests-empty', enter, operator('/requests?model=slow&status=401')],
  ['operators-request', enter, firstLink(operator('/requests?status=5xx'), 'tbody td a')],
  ['operators-usage', enter, operator('/usage')],
  ['operators-accounts', enter, operator('/accounts')],
  ['operators-account', enter, operator(`/accounts/${ACCOUNT}`)],
  ['operators-account-keys', enter, keyMenu],
  ['operators-account-credit', enter, operator(`/accounts/${ACCOUNT}/credits`)],
  ['operators-account-limits', enter, operator(`/accounts/${ACCOUNT}/limits`)],
  ['operators-account-members', enter, operator(`/accounts/${ACCOUNT}/members`)],
  ['operators-account-audit', enter, operator(`/accounts/${ACCOUNT}/audit`)],
  ['operators-account-history', enter, operator(`/accounts/${ACCOUNT}/history`)],
  ['operators-costs', enter, operator('/costs')],
  ['operators-models', enter, operator('/models')],
  ['operators-model', enter, operator('/models/m')],
  ['operators-backends', enter, operator('/backends/list')],
  ['operators-chain', enter, operator('/chain')],
  ['operators-audit', enter, operator('/audit')],
  ['design', enter, operator('/design')],
]

/** Plots are drawn after the first frame. */
async function drawn(page) {
  await page.waitForLoadState('load')
  if ((await page.locator('[data-plot]').count()) > 0) await page.locator('.plot canvas').first().waitFor()
}

async function pictureOf(path, [, signedIn, steps], options, isFull) {
  const context = await browser.newContext({ storageState: sessions.get(signedIn), ...options })
  const page = await context.newPage()
  await steps(page)
  await drawn(page)
  await page.screenshot({ path, fullPage: isFull })
  await context.close()
}

const chosen = PAGES.filter(([name]) => wanted.length === 0 || wanted.some(one => name.includes(one)))
mkdirSync(ALL, { recursive: true })
for (const page of chosen) {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const options = { colorScheme, viewport: { width, height: width < 500 ? 740 : 900 } }
      await pictureOf(join(ALL, `${page[0]}-${width}-${colorScheme}.png`), page, options, true)
    }
  }
}

/** Pictures of docs/CONSOLE.md: name of the page, colour scheme and height. */
const DOCUMENTED = [
  ['console-overview', 'light', 560],
  ['console-usage', 'light', 560],
  ['console-requests', 'light', 420],
  ['console-request', 'dark', 520],
  ['console-keys', 'light', 420],
  ['console-try', 'dark', 560],
  ['operators-overview', 'light', 560],
  ['operators-request', 'dark', 520],
  ['operators-account', 'light', 520],
]
if (wanted.length === 0 || wanted.includes('documented')) {
  mkdirSync(IMAGES, { recursive: true })
  for (const [name, colorScheme, height] of DOCUMENTED) {
    const page = PAGES.find(([one]) => one === name)
    await pictureOf(join(IMAGES, `${name}.png`), page, { colorScheme, viewport: { width: 1280, height } }, false)
  }
}
await browser.close()
await gateway.close()
await closeSimulators()
