import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { consoleGateway, signIn } from '../support/console.ts'
import { eventually, KEY, type TestGateway } from '../support/gateway.ts'
import { usePages } from '../support/operators.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const focused = (page: Page) => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent')
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Opens a page by two keys, again if a busy browser lets too much time pass between them. */
async function openByKeys(page: Page, keys: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.type(keys)
    try {
      return await page.getByRole('heading', { name, level: 1 }).waitFor({ timeout: 5000 })
    } catch (thrown) {
      if (attempt === 3) throw thrown
    }
  }
}

/** Browsers close a dialog some time after the key. */
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

describe("the operators' pages by keyboard", () => {
  const open = useBrowser()
  const pages = usePages()

  async function signedIn(options = {}): Promise<Page> {
    const context = await open(options)
    const [name = '', value = ''] = pages().cookie.split('=')
    await context.addCookies([{ name, value, url: pages().origin }])
    return context.newPage()
  }
  /** Sends a request, and returns its id when it is in the store. */
  async function ask(): Promise<string> {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    const response = await pages().gateway.post('/v1/chat/completions', body)
    await response.text()
    const id = response.headers.get('x-request-id')!
    await eventually(async () => (await pages().get('/requests')).text.includes(id))
    return id
  }

  it('open pages by their letters, and rows of the table', async () => {
    const id = await ask()
    const page = await signedIn()
    const problems = pageProblems(page)
    await page.goto(pages().origin)
    await openByKeys(page, 'gr', 'Requests')
    await page.keyboard.press('j')
    expect(await focused(page)).equal(id)
    await page.keyboard.press('k')
    expect(await focused(page)).equal(id)
    await page.keyboard.press('Enter')
    await title(page, `Request ${id}`)
    for (const [keys, name] of [
      ['ga', 'Accounts'],
      ['gb', 'Backends'],
      ['gm', 'Models'],
      ['go', 'Overview'],
    ] as const) {
      await openByKeys(page, keys, name)
    }
    expect(problems).deep.equal([])
  })

  it('focus a filter, in which keys are text', async () => {
    const page = await signedIn({ viewport: { width: 360, height: 740 } })
    await page.goto(`${pages().origin}/audit`)
    await page.keyboard.press('/')
    expect(await focused(page)).equal('account')
    await page.keyboard.type('gr?j/')
    expect(await page.getByLabel('Account', { exact: true }).inputValue()).equal('gr?j/')
    expect(page.url()).match(/\/audit$/)
    expect(await page.locator('dialog[open]').count()).equal(0)
  })

  it('find any id in the palette, and have nothing that axe objects to', async () => {
    const id = await ask()
    const page = await signedIn()
    const problems = pageProblems(page)
    await page.goto(`${pages().origin}/models`)
    await page.keyboard.press('Control+k')
    expect(await focused(page)).equal('palette-q')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page), colorScheme).deep.equal([])
    }
    await closeDialog(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await title(page, `Request ${id}`)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.keyboard.type('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is found for nobody').waitFor()
    expect(await axeFindings(page)).deep.equal([])
    expect(problems).deep.equal([])
  })

  it('do not send the secret of a key', async () => {
    const page = await signedIn()
    const sent: string[] = []
    page.on('request', request => sent.push(request.url()))
    await page.goto(`${pages().origin}/models`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`service_${'a'.repeat(43)}`)
    await page.keyboard.press('Enter')
    expect(await page.locator('#palette-q').inputValue()).equal('')
    expect(await page.evaluate<string>("document.querySelector('#palette-q').validationMessage")).contain(
      'Enter the id of the key',
    )
    expect(sent.filter(url => url.includes('aaaa'))).deep.equal([])
  })

  it('show all keys, and turn single ones off in this browser', async () => {
    const page = await signedIn()
    await page.goto(pages().origin)
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page), colorScheme).deep.equal([])
    }
    const rows = await page.locator('.keys tr').allTextContents()
    expect(rows).include('g rRequests')
    expect(new Set(rows.map(row => row.slice(0, 3))).size).equal(rows.length)
    await page.getByLabel('Single keys work in this browser').uncheck()
    await closeDialog(page)
    await page.keyboard.type('gr')
    await page.reload()
    await page.keyboard.type('gr?')
    expect(new URL(page.url()).pathname).equal('/')
    expect(await page.locator('dialog[open]').count()).equal(0)
    // The palette leads to the checkbox.
    await page.keyboard.press('Control+k')
    await page.getByRole('button', { name: 'Keyboard' }).click()
    await page.getByLabel('Single keys work in this browser').check()
    await closeDialog(page)
    await openByKeys(page, 'gr', 'Requests')
  })

  it('work in a browser that keeps nothing', async () => {
    const page = await signedIn()
    await page.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
    )
    const problems = pageProblems(page)
    await page.goto(pages().origin)
    await page.keyboard.press('?')
    await page.getByLabel('Single keys work in this browser').uncheck()
    await closeDialog(page)
    await page.keyboard.type('gr')
    expect(new URL(page.url()).pathname).equal('/')
    expect(problems).deep.equal([])
  })

  it('find without script, too', async () => {
    const page = await signedIn({ javaScriptEnabled: false })
    await page.goto(pages().origin)
    await page.getByLabel('Page or id').fill('chain')
    await page.getByRole('search').getByRole('button', { name: 'Find' }).click()
    await title(page, 'Chain')
  })
})

describe('the console by keyboard', () => {
  const open = useBrowser()
  let gateway: TestGateway
  before(async () => {
    const { root } = await simulatorWith({ answer_tokens: 5, models: [{ id: 'upstream-m' }] })
    gateway = await consoleGateway(`${root}/v1`, `${root}/v1`)
  })
  after(async () => {
    await gateway?.close()
    await closeSimulators()
  })

  it('opens pages and own ids', async () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ model: 'm', messages }) }
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, init)
    await reply.text()
    const id = reply.headers.get('x-request-id')!
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    await openByKeys(page, 'gk', 'Keys')
    await eventually(async () => {
      await page.goto(`${gateway.url}/console/requests`)
      return (await page.getByRole('link', { name: id }).count()) === 1
    })
    await openByKeys(page, 'go', 'Overview')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await title(page, `Request ${id}`)
    expect(problems).deep.equal([])
  })
})
