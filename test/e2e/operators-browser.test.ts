import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { modelTable } from '../../lib/admin/pages/now-models.ts'
import { createOperatorLink } from '../../lib/store/operator-sessions.ts'
import { openStore } from '../../lib/store/store.ts'
import { axeFindings, FAR_HOST, pageProblems, useBrowser } from '../support/browser.ts'
import { ACCOUNT, eventually } from '../support/gateway.ts'
import { operatorKey, usePages } from '../support/operators.ts'
import { silent } from '../support/stores.ts'

const PLANS = { small: { tier: 'small', requests: { limit: 2, window: '365d' } }, large: { concurrency: 9 } }

describe("the operators' pages in a browser", () => {
  const open = useBrowser()
  const pages = usePages({ more: { plans: PLANS, stored_models: true } })

  async function signedIn(page: Page, origin = pages().origin): Promise<readonly string[]> {
    const problems = pageProblems(page)
    await page.goto(origin)
    await page.getByLabel('Key of an operator').fill(pages().key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    return problems
  }
  const ask = async (secret: string, text = 'Hello', signal?: AbortSignal) =>
    pages().gateway.post(
      '/v1/chat/completions',
      { model: 'm', stream: true, messages: [{ role: 'user', content: text }] },
      { headers: { authorization: `Bearer ${secret}` }, ...(signal === undefined ? null : { signal }) },
    )

  it('take forms on another machine without TLS too, where browsers say less of where a form comes from', async () => {
    const page = await (await open()).newPage()
    await signedIn(page, `http://${FAR_HOST}:${new URL(pages().origin).port}`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Key of an operator').waitFor()
  })

  it("lead through an operator's day, of which the audit log has everything", async () => {
    const page = await (await open()).newPage()
    const problems = await signedIn(page)

    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Acme')
    await page.getByLabel('Plan').selectOption('small')
    await page.getByLabel('Prepaid, in cents (USD)').fill('100')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
    const account = new URL(page.url()).pathname

    await page.getByRole('link', { name: 'Credit' }).click()
    await page.getByLabel('Amount, in cents (USD)').fill('250')
    await page.getByLabel('Note').fill('Invoice 7')
    await page.getByRole('button', { name: 'Add credit' }).click()
    await page.getByText('2.50 USD is added to the balance of Acme: Invoice 7').waitFor()
    expect(await page.locator('#balance').textContent()).equal('3.50 USD')
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByLabel('Label').fill('ci')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const secret = (await page.locator('#secret').textContent())!

    // It reaches the limit of its plan.
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const response = await ask(secret)
      await response.text()
      statuses.push(response.status)
    }
    expect(statuses).deep.equal([200, 200, 429])
    await eventually(async () => {
      await page.goto(`${pages().origin}/requests?status=429`)
      return (await page.getByRole('link', { name: /^req_/ }).count()) === 1
    })
    await page.getByRole('link', { name: /^req_/ }).click()
    await page.getByRole('heading', { name: 'What went wrong' }).waitFor()
    await page.getByText('What to do').waitFor()
    await page.getByRole('link', { name: 'Acme' }).click()
    await page.getByText(/^0 of 2 requests until /).waitFor()
    await page.getByRole('link', { name: 'Limits', exact: true }).click()
    await page.getByLabel('Plan').selectOption('large')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('Acme is changed: plan.').waitFor()
    await eventually(async () => {
      const response = await ask(secret)
      await response.text()
      return response.status === 200
    })

    // A drain does not end running streams.
    await page.goto(pages().origin)
    const stream = await ask(secret, 'simulate: tokens=200 tokens_per_second=10')
    expect(stream.status).equal(200)
    await page.getByRole('button', { name: /^Drain/ }).click()
    await page.getByText('No other backend of m is up.').waitFor()
    expect(await axeFindings(page)).deep.equal([])
    await page.getByRole('button', { name: 'Drain' }).click()
    await page.getByText('of m is drained, in every process within two seconds').waitFor()
    await page.getByText('draining', { exact: true }).waitFor()
    expect((await ask(secret)).status).equal(503)
    const text = await stream.text()
    expect(text).contain('data: [DONE]')
    // The page updates itself.
    await page.getByText('drained', { exact: true }).waitFor()
    // The end of the drain is visible before its response.
    await page.route('**/undrain', async route => {
      const response = await route.fetch({ maxRedirects: 0 })
      await page.waitForTimeout(6000)
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('of m is no longer drained').waitFor()
    await page.getByText('up', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Audit' }).click()
    const rows = await page.locator('tbody tr').allTextContents()
    const done = rows.map(row => /operator alice \(op_\w+\)127\.0\.0\.1([a-z.]+?)(?=Acme|–)/.exec(row)?.[1] ?? row)
    expect(done.toReversed().slice(-6)).deep.equal([
      'account.create',
      'credits.add',
      'key.create',
      'account.change',
      'backend.drain',
      'backend.undrain',
    ])
    expect(rows.join()).contain('plan: small → large').and.contain('note: Invoice 7')
    await page.goto(`${pages().origin}${account}/audit`)
    expect(await page.getByRole('cell', { name: 'credits.add' }).count()).equal(1)
    expect(problems).deep.equal([])
    // Waits for two drains, and for a stream of twenty seconds.
  })

  it('rotate, switch off and revoke keys by their menus', async () => {
    const page = await (await open()).newPage()
    await signedIn(page)
    await page.goto(`${pages().origin}/accounts/${ACCOUNT}/keys`)
    const act = async (action: RegExp) => {
      await page.locator('.menu').first().getByText('Actions').click()
      await page.getByRole('button', { name: action }).click()
    }
    await page.getByRole('button', { name: 'Create a key' }).click()
    const first = (await page.locator('#secret').textContent())!
    await page.getByRole('link', { name: 'To the keys' }).click()
    await act(/^Disable/)
    await page.getByText(/^Key key_\w+ is disabled/).waitFor()
    expect((await ask(first)).status).equal(401)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/^Key key_\w+ is enabled/).waitFor()
    await act(/^Rotate/)
    await page.getByText('The current secret works for another hour.').waitFor()
    await page.getByRole('button', { name: 'Rotate' }).click()
    const second = (await page.locator('#secret').textContent())!
    expect(second).not.equal(first)
    await page.getByRole('link', { name: 'To the keys' }).click()
    await act(/^Revoke/)
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect((await ask(second)).status).equal(200)
    await act(/^Revoke/)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/^Key key_\w+ is revoked/).waitFor()
    await page.getByText('revoked', { exact: true }).waitFor()
    expect((await ask(second)).status).equal(401)
  })

  it('open by a link once, end with the session, and refuse a wrong key', async () => {
    const { id } = await operatorKey(pages().gateway, 'bob')
    const store = await openStore(`sqlite:${join(pages().gateway.dir, 'store.db')}`, { log: silent })
    const link = `${pages().origin}/sign-in?token=${await createOperatorLink(store, id, Date.now() * 1000)}`
    const page = await (await open()).newPage()
    // A link on a page of another site shows a button first.
    await page.setContent(`<a href="${link}">look</a>`)
    await page.getByRole('link', { name: 'look' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await page.goto(link)
    await page.getByText('This link has been used or has expired.').waitFor()
    await page.getByLabel('Key of an operator').fill('service_operator_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText("This is not an operator's key").waitFor()
    await signedIn(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await store.close()
  })

  it('work without script, all but what is live', async () => {
    const page = await (await open({ javaScriptEnabled: false })).newPage()
    await signedIn(page)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByLabel('Name', { exact: true }).fill('No script')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'No script', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Chain' }).click()
    await page.getByLabel('Route').selectOption('gateway.messages')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(page.url()).contain('route=gateway.messages')
  })

  it('say that they are live, and can be paused', async () => {
    const page = await (await open()).newPage()
    const problems = await signedIn(page)
    await page.getByText('Live, every 5 s').waitFor()
    await page.goto(`${pages().origin}/requests`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused').waitFor()
    const id = (await ask('service_test_secret', 'simulate: status=500')).headers.get('x-request-id')!
    await eventually(async () => (await pages().get('/requests')).text.includes(id))
    expect(await page.getByRole('link', { name: id }).count()).equal(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: id }).waitFor()
    expect(problems).deep.equal([])
  })

  it("show times in the viewer's zone with their age, and UTC as title", async () => {
    const page = await (await open({ timezoneId: 'Asia/Tokyo' })).newPage()
    await signedIn(page)
    const time = page.locator('.card time').first()
    expect(await time.textContent()).match(/^\d\d:\d\d:\d\d · \d+ (s|min) ago$/)
    const [shown, title] = [await time.textContent(), await time.getAttribute('title')]
    expect(title).match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    const hours = (text: string) => Number(/(\d\d):/.exec(text)![1])
    expect(hours(shown!)).equal((hours(title!) + 9) % 24)
  })

  it('close a menu by Escape, by another menu and by a click elsewhere', async () => {
    for (const label of ['a', 'b']) await pages().api('POST', `/admin/v1/accounts/${ACCOUNT}/keys`, { label })
    const page = await (await open()).newPage()
    await signedIn(page)
    await page.goto(`${pages().origin}/accounts/${ACCOUNT}/keys`)
    const menus = page.locator('.menu')
    const isOpen = () => page.evaluate<boolean[]>("Array.from(document.querySelectorAll('.menu'), one => one.open)")
    const first = menus.first().locator('summary')
    await first.focus()
    await page.keyboard.press('Enter')
    expect((await isOpen()).filter(Boolean)).lengthOf(1)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).match(/^Limits/)
    await page.keyboard.press('Escape')
    expect((await isOpen()).filter(Boolean)).lengthOf(0)
    expect(await page.evaluate('document.activeElement.tagName')).equal('SUMMARY')
    // An open menu lies over the rows below.
    await menus.nth(1).locator('summary').click()
    await first.click()
    expect((await isOpen()).slice(0, 2)).deep.equal([true, false])
    await page.getByRole('heading', { level: 1 }).click()
    expect((await isOpen()).filter(Boolean)).lengthOf(0)
  })

  it('are reached and left by keyboard alone', async () => {
    const page = await (await open()).newPage()
    await signedIn(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).equal('Skip to the content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).match(/^Find/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  })

  it('have a table of models that fits 1280 pixels with all lines and large numbers', async () => {
    const context = await open({ viewport: { width: 1280, height: 700 } })
    const [name = '', value = ''] = pages().cookie.split('=')
    await context.addCookies([{ name, value, url: pages().origin }])
    const page = await context.newPage()
    await page.goto(pages().origin)
    const rates = { requests_per_second: 123.45, ttft_p50_ms: 9999, ttft_p95_ms: 9999, tokens_per_second: 123_456.7 }
    const row = { model: 'meta-llama/Llama-3.3-70B-Instruct-FP8-KV', backends: 128, up: 128, in_flight: 1234 }
    const full = { ...row, ...rates, limit: 4096, queued: 1234, errors: 12_345, cache_hit_pct: 100, wait_ms: 9999 }
    const point = { at: 0, ...rates, errors_per_second: 0, in_flight: 1, queued: 7 }
    const table = modelTable([full], { pointsOf: () => Array(720).fill(point) })
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(table.toString())}`)
    expect(await page.locator('.sparkline').count()).equal(4)
    expect(await page.evaluate('document.documentElement.scrollWidth')).most(1280)
    const box = await page.getByRole('columnheader', { name: 'Cache hit' }).boundingBox()
    expect(box!.x + box!.width).most(1280)
  })

  it('show a refused filter on a phone, which is ready to be corrected', async () => {
    const page = await (await open({ viewport: { width: 360, height: 740 } })).newPage()
    await signedIn(page)
    await page.goto(`${pages().origin}/usage?from=monday`)
    await page
      .getByText(/^'From' must be a day/)
      .last()
      .waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2026-11-21')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2026-11-21/)
  })

  describe('have nothing that axe objects to, and fit a phone:', () => {
    let request = ''
    before(async () => {
      await (await ask('service_test_secret', 'simulate: status=500')).text()
      await eventually(async () => {
        const { text } = await pages().get('/requests?status=errors')
        request = /href="(\/requests\/[0-9a-f-]{36})"/.exec(text)?.[1] ?? ''
        return request !== ''
      })
    })

    for (const path of [
      '/sign-in',
      '/',
      '/requests',
      '/requests?session=mine',
      'request',
      '/accounts',
      `/accounts/${ACCOUNT}`,
      `/accounts/${ACCOUNT}/keys`,
      `/accounts/${ACCOUNT}/credits`,
      `/accounts/${ACCOUNT}/limits`,
      `/accounts/${ACCOUNT}/members`,
      `/accounts/${ACCOUNT}/audit`,
      `/accounts/${ACCOUNT}/history`,
      '/costs?sort=cost',
      '/models',
      '/models/m',
      '/models/m/history',
      '/backends/list?sort=state',
      '/backends/compare',
      '/usage?sort=cost',
      '/find?q=nobody',
      '/design',
      '/chain',
      '/audit',
    ]) {
      it(path, async () => {
        const context = await open({ colorScheme: 'light', viewport: { width: 375, height: 700 } })
        const [name = '', value = ''] = pages().cookie.split('=')
        await context.addCookies([{ name, value, url: pages().origin }])
        const page = await context.newPage()
        await page.goto(pages().origin + (path === 'request' ? request : path))
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await axeFindings(page), colorScheme).deep.equal([])
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).most(375)
      })
    }
  })
})
