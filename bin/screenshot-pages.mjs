// The pages of console-screenshots.mjs: the name of each, who opens it, and the steps to it. Sessions are those of
// `stranger`, `customer`, `carol` and `operator`.
const { ACCOUNT } = await import('../test/support/gateway.ts')
const { OTHER } = await import('../test/support/console.ts')
const { LONG_MODEL, LONG_URL } = await import('./screenshot-scene.mjs')

/** Clicks a button, and waits for the page behind it. */
const press = (page, name) => page.getByRole('button', { name }).first().click()

/** Opens a page, and there the first link that matches. */
const firstLink = (open, selector) => async page => {
  await open(page)
  await page.locator(selector).first().click()
  await page.waitForURL(/\/(requests|keys|accounts|models|batches)\/./)
}

function consolePages({ gateway, ended, refused, fallback }) {
  const go = path => page => page.goto(gateway.url + path)
  const createKey = async page => {
    await go('/console/keys')(page)
    await page.getByLabel('Label').fill('laptop')
    await press(page, 'Create key')
  }
  const alertTo = (amount, url, when) => async page => {
    await go('/console/alerts')(page)
    if (when !== undefined) await page.getByLabel('Sent when').selectOption(when)
    await page.getByLabel('Percent, or USD').fill(amount)
    await page.getByLabel('URL of the receiver').fill(url)
    await press(page, 'Create alert')
  }
  const createAlert = alertTo('10', 'https://93.184.215.14/alerts', 'balance_below_cents')
  const refusedAlert = alertTo('80', 'https://127.0.0.1/alerts')
  const revokeKey = async page => {
    await firstLink(go('/console/keys'), 'td a[href^="/console/keys/"]')(page)
    await press(page, /^Revoke/)
  }
  const cancelBatch = async page => {
    await firstLink(go('/console/batches'), 'td a')(page)
    await press(page, /^Cancel/)
  }
  const ask = second => async page => {
    await go('/console/try')(page)
    if (second !== undefined) await page.getByLabel('Compare with').selectOption(second)
    await press(page, 'Ask')
    await page
      .getByText('Answered in')
      .nth(second === undefined ? 0 : 1)
      .waitFor({ timeout: 60_000 })
  }
  return [
    ['console-sign-in', 'stranger', go('/console')],
    ['console-overview', 'customer', go('/console')],
    ['console-overview-member', 'carol', go('/console')],
    ['console-usage', 'customer', go('/console/usage?who=team')],
    ['console-requests', 'customer', go('/console/requests')],
    ['console-requests-empty', 'customer', go('/console/requests?model=none')],
    ['console-request', 'customer', firstLink(go('/console/requests?errors=1'), 'td a')],
    ['console-request-answered', 'customer', go(`/console/requests/${fallback}`)],
    ['console-batches', 'customer', go('/console/batches')],
    ['console-batches-empty', 'carol', go('/console/batches')],
    ['console-batch-ended', 'customer', go(`/console/batches/${ended}`)],
    ['console-batch-refused', 'customer', go(`/console/batches/${refused}`)],
    ['console-batch-running', 'customer', firstLink(go('/console/batches'), 'td a')],
    ['console-batch-cancel', 'customer', cancelBatch],
    ['console-new-key', 'customer', createKey],
    ['console-keys', 'customer', go('/console/keys')],
    ['console-keys-revoke', 'customer', revokeKey],
    ['console-key', 'customer', firstLink(go('/console/keys'), 'td a[href^="/console/keys/"]')],
    ['console-alerts-refused', 'customer', refusedAlert],
    ['console-new-alert', 'customer', createAlert],
    ['console-alerts', 'customer', go('/console/alerts')],
    ['console-alerts-empty', 'carol', go('/console/alerts')],
    ['console-try', 'customer', ask()],
    ['console-try-compare', 'customer', ask('slow')],
    ['console-find', 'customer', go('/console/find?q=laptop')],
    ['console-find-nothing', 'customer', go('/console/find?q=req_0')],
    ['console-not-found', 'customer', go('/console/requests/req_0')],
    ['console-unknown', 'customer', go('/console/nope')],
    ['console-unknown-signed-out', 'stranger', go('/console/nope')],
  ]
}

function operatorsPages({ operators, university, fallback, engine }) {
  const go = path => page => page.goto(operators + path)
  const account = `/accounts/${ACCOUNT}`
  const backend = (model, url) => `/backends/history?${new URLSearchParams({ model, url, range: '1h' })}`
  const model = id => `/models/${encodeURIComponent(id)}`
  /** Opens a page, and sends its form with this button. */
  const asks = (path, name) => async page => {
    await go(path)(page)
    await press(page, name)
  }
  const keyMenu = async page => {
    await go(`${account}/keys`)(page)
    await page.locator('.menu summary').first().click()
    // The copy button of a row is only visible below the pointer.
    await page.mouse.move(0, 0)
  }
  const newKey = async page => {
    await go(`${account}/keys`)(page)
    await page.getByLabel('Label').fill('laptop')
    await press(page, 'Create a key')
  }
  const revokeKey = async page => {
    await keyMenu(page)
    await press(page, /^Revoke/)
  }
  const takeCredit = async page => {
    await go(`/accounts/${university}/credits`)(page)
    await page.getByLabel('Amount, in cents').fill('-12345678')
    await page.getByLabel('Note').fill('Refund')
    await press(page, 'Add credit')
  }
  const refusedAccount = async page => {
    await go('/accounts')(page)
    await page.getByLabel('Name', { exact: true }).fill('Acme')
    await page.getByLabel('Prepaid').fill('much')
    await press(page, 'Create')
  }
  const columns = path => async page => {
    await go(path)(page)
    await page.locator('.columns summary').click()
  }
  const filters = async page => {
    await go('/requests')(page)
    await page.locator('.filters summary').click()
  }
  return [
    ['operators-sign-in', 'stranger', go('/')],
    ['operators-overview', 'operator', go('/')],
    ['operators-overview-drain', 'operator', asks('/', /^Drain/)],
    ['operators-requests', 'operator', go('/requests')],
    ['operators-requests-long', 'operator', go(`/requests?${new URLSearchParams({ model: LONG_MODEL })}`)],
    ['operators-requests-columns', 'operator', columns('/requests')],
    ['operators-requests-filters', 'operator', filters],
    ['operators-requests-empty', 'operator', go('/requests?model=slow&status=401')],
    ['operators-request', 'operator', firstLink(go('/requests?status=5xx&model=m'), 'tbody td a')],
    ['operators-request-fallback', 'operator', go(`/requests/${fallback}`)],
    ['operators-request-unknown', 'operator', go('/requests/req_0')],
    ['operators-usage', 'operator', go('/usage?from=2020-01-01&by=model&by=user')],
    ['operators-accounts', 'operator', go('/accounts?sort=name&order=desc')],
    ['operators-accounts-refused', 'operator', refusedAccount],
    ['operators-account', 'operator', go(account)],
    ['operators-account-history', 'operator', go(`${account}/history`)],
    ['operators-account-keys', 'operator', keyMenu],
    ['operators-account-keys-new', 'operator', newKey],
    ['operators-account-keys-revoke', 'operator', revokeKey],
    ['operators-account-credit', 'operator', go(`/accounts/${university}/credits`)],
    ['operators-account-credit-take', 'operator', takeCredit],
    ['operators-account-limits', 'operator', go(`/accounts/${university}/limits`)],
    ['operators-account-members', 'operator', go(`${account}/members`)],
    ['operators-account-audit', 'operator', go(`${account}/audit`)],
    ['operators-account-stored', 'operator', go(`/accounts/${university}`)],
    ['operators-account-stored-erase', 'operator', asks(`/accounts/${university}`, /^Erase/)],
    ['operators-account-empty', 'operator', go(`/accounts/${OTHER}/members`)],
    ['operators-costs', 'operator', go('/costs')],
    ['operators-models', 'operator', go('/models')],
    ['operators-model', 'operator', go(model('m'))],
    ['operators-model-stored', 'operator', go(model('stored'))],
    ['operators-model-stored-delete', 'operator', asks(model('stored'), /^Delete/)],
    ['operators-model-history', 'operator', go(`${model('m')}/history?range=1h`)],
    ['operators-model-history-empty', 'operator', go(`${model(LONG_MODEL)}/history`)],
    ['operators-backends', 'operator', go('/backends/list?sort=model&order=desc')],
    ['operators-backends-compare', 'operator', go('/backends/compare?range=1h')],
    ['operators-backend', 'operator', go(backend('m', engine))],
    ['operators-backend-down', 'operator', go(backend(LONG_MODEL, LONG_URL))],
    ['operators-batches', 'operator', go('/batches')],
    ['operators-batches-ended', 'operator', go('/batches?status=completed')],
    ['operators-batches-empty', 'operator', go('/batches?status=expired')],
    ['operators-batches-pause', 'operator', asks('/batches', /^Pause/)],
    ['operators-batches-cancel', 'operator', asks('/batches', /^Cancel/)],
    ['operators-chain', 'operator', go('/chain')],
    ['operators-audit', 'operator', go('/audit')],
    ['operators-unknown', 'operator', go('/nope')],
    ['operators-find', 'operator', go('/find?q=t')],
    ['operators-not-found', 'operator', go('/nothing')],
    ['design', 'operator', go('/design')],
  ]
}

/** Pages before there are batches. */
export const idlePagesOf = ({ operators }) => [
  ['operators-batches-idle', 'operator', page => page.goto(`${operators}/batches`)],
]

/** Name, session and steps of each page. */
export const pagesOf = scene => [...consolePages(scene), ...operatorsPages(scene)]
