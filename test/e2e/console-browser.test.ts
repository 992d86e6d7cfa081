import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore } from '../../lib/store/store.ts'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { BOB, CAROL_KEY, consoleGateway, OTHER, signIn } from '../support/console.ts'
import { ACCOUNT, eventually, KEY, type TestGateway } from '../support/gateway.ts'
import { insertRecords, makeRecord } from '../support/record.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const run = promisify(execFile)
/** The cumulative layout shift of the page. */
const SHIFTS = `new Promise(resolve => {
  const sum = entries => entries.reduce((sum, { value }) => sum + value, 0)
  new PerformanceObserver(list => resolve(sum(list.getEntries()))).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(resolve, 0, 0))
})`
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

describe('the console in a browser', function () {
  // A browser is slow if all processors are busy.
  this.timeout(300_000)
  const open = useBrowser()
  let gateway: TestGateway
  before(async () => {
    const models = [{ id: 'upstream-m' }]
    const [fast, slow] = await Promise.all([
      simulatorWith({ answer_tokens: 5, models }),
      simulatorWith({ answer_tokens: 10_000, tokens_per_second: 20, models: [{ id: 'upstream-m', reasoning: true }] }),
    ])
    gateway = await consoleGateway(`${fast.root}/v1`, `${slow.root}/v1`)
  })
  after(async () => {
    await gateway?.close()
    await closeSimulators()
  })

  /** Sends a request, and returns its id. */
  const ask = async (key: string, body: JsonObject) => {
    const messages = [{ role: 'user', content: 'Say hello.' }]
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ messages, ...body }) }
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, init)
    await reply.text()
    return reply.headers.get('x-request-id')!
  }
  const chat = async (key: string, times: number) => {
    for (let i = 0; i < times; i++) await ask(key, { model: 'm' })
  }

  it('signs in and out, keeps its styles, and breaks no policy', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    expect(await heading(page)).equal('Overview')
    expect(await page.evaluate('document.styleSheets[0].cssRules.length')).above(10)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await heading(page)).equal('Signed out')
    await page.goto(`${gateway.url}/console/keys`)
    expect(await heading(page)).equal('Not signed in')
    expect(problems).deep.equal([])
  })

  it('takes a key through its whole life, and its lines to copy work', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByLabel('Label').fill('ci <1>')
    await page.getByLabel('Last day').fill('2099-12-31')
    await page.getByLabel('m', { exact: true }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await heading(page)).equal('Your new key')
    const copied = await page.locator('[data-copy]').allTextContents()
    const [secret, curl, , script] = copied
    expect(copied).length(4)
    await page.getByRole('button', { name: 'Copy the curl command' }).click()
    await page.getByText(/^(Copied|Selected: )/).waitFor()

    const opens = async (key: string) =>
      (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
    expect((await run('/bin/sh', ['-c', `${curl} -sS`])).stdout).contain('"chat.completion"')
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script!])
    expect(stdout.trim()).not.equal('')

    // A reload sends the form again, which creates nothing.
    await page.reload()
    await page.getByText('has created its key already').waitFor()
    expect(await page.getByRole('link', { name: 'ci <1>' }).count()).equal(1)

    await page.getByRole('link', { name: 'ci <1>' }).click()
    expect(await heading(page)).equal('Key ci <1>')
    await page.getByLabel('Label').fill('deploy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Key deploy \(key_\w+\) is changed/).waitFor()
    expect(await heading(page)).equal('Key deploy')
    expect(await page.getByLabel('Last day').inputValue()).equal('2099-12-31')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText(/^Key deploy \(key_\w+\) is disabled/).waitFor()
    expect(await opens(secret!)).equal(401)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/^Key deploy \(key_\w+\) is enabled/).waitFor()
    expect(await opens(secret!)).equal(200)

    await page.getByLabel('The current secret').selectOption('3600')
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const rotated = await page.locator('[data-copy]').textContent()
    expect(await Promise.all([secret!, rotated!].map(opens))).deep.equal([200, 200])
    await page.getByRole('link', { name: 'All keys' }).click()
    await page.getByRole('link', { name: 'deploy' }).click()
    await page.getByText('Secret before').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(await heading(page)).equal('Key deploy')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    expect(await heading(page)).match(/^Revoke key deploy \(key_\w+\)\?$/)
    expect(await axeFindings(page)).deep.equal([])
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText(/^Key deploy \(key_\w+\) is revoked/).waitFor()
    expect(await Promise.all([secret!, rotated!].map(opens))).deep.equal([401, 401])
    expect(await page.getByRole('link', { name: 'deploy' }).count()).equal(0)
    expect(problems).deep.equal([])
  })

  it('loses nothing of a form when the session ends in the middle of it, and does nothing twice', async () => {
    const context = await open({ javaScriptEnabled: false })
    const page = await context.newPage()
    await signIn(gateway, page, 'alice@test')
    await page.goto(`${gateway.url}/console/keys`)
    await page.getByLabel('Label').fill('patient')
    const { cookies } = await context.storageState()
    await context.clearCookies()
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await heading(page)).equal('Not signed in')

    // Signed in again in another tab, by another link.
    await signIn(gateway, await context.newPage(), 'alice@test')
    expect((await context.storageState()).cookies).not.deep.equal(cookies)
    await page.reload()
    await page.getByText('not of your current session').waitFor()
    expect(await page.getByLabel('Label').inputValue()).equal('patient')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await heading(page)).equal('Your new key')
    await page.goto(`${gateway.url}/console/keys`)
    expect(await page.getByRole('link', { name: 'patient' }).count()).equal(1)
  })

  it('makes a key with the keyboard alone', async () => {
    const page = await (await open()).newPage()
    await signIn(gateway, page, 'alice@test')
    /** Presses Tab until the element with this text or field name has the focus. */
    const tabTo = async (name: string) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab')
        const at = await page.evaluate('document.activeElement.name || document.activeElement.textContent.trim()')
        if (at === name) return
      }
      throw new Error(`Tab does not lead to ${name}`)
    }
    await tabTo('Keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await tabTo('label')
    await page.keyboard.type('by keyboard')
    await tabTo('model')
    await page.keyboard.press('Space')
    await tabTo('Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your new key', level: 1 }).waitFor()
    await tabTo('Copy')
    await page.keyboard.press('Enter')
    await page.getByText(/^(Copied|Selected: )/).waitFor()
    await tabTo('All keys')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'by keyboard' }).waitFor()
  })

  it('says what is wrong with what was entered', async () => {
    const page = await (await open()).newPage()
    await signIn(gateway, page, 'alice@test')
    await page.goto(`${gateway.url}/console/keys`)
    await page.evaluate(`document.querySelector('#expires').removeAttribute('min')`)
    await page.getByLabel('Last day').fill('2001-01-01')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await page.getByRole('status').textContent()).contain('in the past')
    expect(await page.getByLabel('Last day').inputValue()).equal('2001-01-01')
  })

  it('shows nothing of another account, whatever is put into its links and forms', async () => {
    const alice = await (await open()).newPage()
    await signIn(gateway, alice, 'alice@test')
    await alice.goto(`${gateway.url}/console/keys`)
    await alice.getByLabel('Label').fill('of alice')
    await alice.getByRole('button', { name: 'Create key' }).click()
    await alice.getByRole('link', { name: 'All keys' }).click()
    const path = await alice.getByRole('link', { name: 'of alice' }).getAttribute('href')

    const bob = await (await open()).newPage()
    await signIn(gateway, bob, BOB)
    const response = await bob.goto(gateway.url + path)
    expect(response?.status()).equal(404)
    expect(await bob.content())
      .not.contain('of alice')
      .and.not.contain(ACCOUNT)
    await bob.goto(`${gateway.url}/console/keys`)
    expect(await bob.evaluate(`[...document.querySelectorAll('#account option')].map(one => one.value)`)).deep.equal([
      OTHER,
    ])
    await bob.evaluate(`document.querySelector('#account option').value = '${ACCOUNT}'`)
    await bob.getByRole('button', { name: 'Create key' }).click()
    expect(await bob.getByRole('status').textContent()).contain('cannot create keys of that account')
  })

  it('shows usage as a plot and as tables, and as a file', async () => {
    await chat(KEY, 3)
    await chat(CAROL_KEY, 1)
    const page = await (await open({ acceptDownloads: true })).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    await page.getByRole('link', { name: 'Usage' }).click()
    await eventually(async () => {
      await page.reload()
      return (await page.getByRole('table', { name: 'Usage by model' }).getByRole('row').count()) > 1
    }, 'the usage')
    await page.locator('.plot canvas').waitFor()
    expect(await page.locator('.plot canvas').count()).equal(1)
    // Text is visible before, and does not move.
    expect(await page.evaluate(`performance.getEntriesByName('plots').length`)).equal(1)
    expect(await page.evaluate(SHIFTS)).equal(0)
    expect(await page.getByText('Quota left').count()).equal(1)
    expect(await page.getByText('Balance').count()).equal(1)
    await page.getByLabel('Whose').selectOption('team')
    await page.getByLabel('Period').selectOption('month')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('table', { name: 'Usage by member' }).getByText('carol@test').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
    expect(file.suggestedFilename()).match(/^usage-.*\.csv$/)
    expect(readFileSync(await file.path(), 'utf8')).contain(',carol@test,m,1,')
    expect(problems).deep.equal([])
  })

  it('shows a request that has just been made, and why one failed', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    const id = await ask(KEY, { model: 'm', max_tokens: 1_000_000_000 })
    // The page updates itself without a reload.
    await page.getByRole('link', { name: id }).waitFor({ timeout: 60_000 })
    await page.getByLabel('Errors only').check()
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: id }).click()
    expect(await heading(page)).contain(id)
    expect(await page.getByRole('table', { name: 'Parts of the time' }).getByRole('row').count()).above(1)
    await page.getByRole('link', { name: 'What that means' }).click()
    await page.getByRole('heading', { name: 'What to do' }).waitFor()
    expect(problems).deep.equal([])
  })

  it('asks a model from its page, and shows the same request as a command', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'carol@test')
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByLabel('Prompt', { exact: true }).fill(`Say "it's" hello.`)
    await page.getByRole('button', { name: 'Ask' }).click()
    const outcome = page.locator('.outcome').getByText('Answered in')
    await outcome.waitFor()
    expect((await page.locator('.answer .text').textContent())!.length).above(0)
    const [curl] = await page.locator('[data-copy]').allTextContents()
    const { stdout } = await run('/bin/sh', ['-c', `API_KEY=${CAROL_KEY}; ${curl} -sS`])
    expect(stdout).contain('data: [DONE]')

    // The request is recorded and charged like any other, and its content is not kept.
    expect(await outcome.textContent()).match(
      /first token after \d+ ms\. \d+ tokens in.*; 5 out\. 0\.\d+ USD\. Request req_/,
    )
    const id = await page.locator('.outcome a').textContent()
    await eventually(
      async () => (await page.goto(`${gateway.url}/console/requests/${id}`))?.status() === 200,
      'the record',
    )
    expect(await page.content())
      .contain('console:carol@test')
      .and.not.contain('hello')
    expect(JSON.stringify(gateway.records())).contain('/v1/chat/completions').and.not.contain('hello')
    expect(problems).deep.equal([])
  })

  it('holds a conversation, with a system prompt and limits, until it starts again', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    await page.goto(`${gateway.url}/console/try`)
    const bodies: JsonObject[] = []
    page.on('request', request => {
      if (request.method() === 'POST') bodies.push(request.postDataJSON() as JsonObject)
    })
    await page.getByText('System prompt and limits').click()
    await page.getByLabel('System prompt', { exact: true }).fill('Be brief.')
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByLabel('Output tokens at most').fill('3')
    const ask = async (prompt: string) => {
      await page.getByLabel('Prompt', { exact: true }).fill(prompt)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('status').getByText('Done.').waitFor()
    }
    await ask('One?')
    await page.getByText('It ends at the limit of tokens.').waitFor()
    const [answer] = await page.locator('.answer .text').allTextContents()
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).equal('')
    await ask('Two?')
    expect(bodies[1]).deep.equal({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: answer },
        { role: 'user', content: 'Two?' },
      ],
      ...{ temperature: 0.5, max_tokens: 3, stream: true },
    })
    expect(await page.locator('.asked').allTextContents()).deep.equal(['One?', 'Two?'])
    await page.getByText('Python, package openai').click()
    expect(await page.locator('#code-python code').textContent())
      .contain('"Two?"')
      .and.contain('max_tokens=3')
    expect(await page.locator('#code-curl').getAttribute('open')).equal(null)

    await page.getByRole('button', { name: 'Start again' }).click()
    expect(await page.locator('.turn').count()).equal(0)
    await ask('Three?')
    expect((bodies[2]!.messages as JsonObject[]).map(({ content }) => content)).deep.equal(['Be brief.', 'Three?'])
    expect(problems).deep.equal([])
  })

  it('asks two models beside each other, which stop together, and shows reasoning apart', async () => {
    const page = await (await open({ viewport: { width: 1280, height: 900 } })).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, BOB)
    await page.goto(`${gateway.url}/console/try`)
    await page.getByLabel('Compare with').selectOption('slow')
    await page.getByText('System prompt and limits').click()
    await page.getByLabel('Reasoning').selectOption('low')
    await page.getByRole('button', { name: 'Ask' }).click()
    const [first, second] = [page.locator('.answer').nth(0), page.locator('.answer').nth(1)]
    await first.getByText('Answered in').waitFor()
    await eventually(async () => (await second.locator('.thoughts').textContent()) !== '', 'the reasoning')
    const [a, b] = [(await first.boundingBox())!, (await second.boundingBox())!]
    expect([b.y, b.x > a.x]).deep.equal([a.y, true])
    expect(await second.locator('.thoughts').isVisible()).equal(false)
    await second.getByText('Reasoning', { exact: true }).click()
    expect(await second.locator('.thoughts').isVisible()).equal(true)
    expect(await first.getByText('Reasoning', { exact: true }).isVisible()).equal(false)
    await page.getByRole('button', { name: 'Stop' }).click()
    await second.getByText('Stopped after').waitFor()
    expect(await page.getByRole('button', { name: 'Ask' }).isEnabled()).equal(true)
    expect(await axeFindings(page)).deep.equal([])
    await page.setViewportSize({ width: 360, height: 740 })
    const [above, below] = [(await first.boundingBox())!, (await second.boundingBox())!]
    expect([below.x, below.y > above.y]).deep.equal([above.x, true])
    expect(await page.evaluate('document.documentElement.scrollWidth')).most(360)
    expect(problems).deep.equal([])
  })

  it('says why a model was not asked, and keeps the prompt, also where the session has ended', async () => {
    const context = await open()
    const page = await context.newPage()
    await signIn(gateway, page, 'alice@test')
    await page.goto(`${gateway.url}/console/try`)
    await page.evaluate(`document.querySelector('#model option').value = 'nope'`)
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.locator('.outcome .error').getByText('nope').waitFor()
    expect(await page.getByRole('link', { name: 'What to do' }).getAttribute('href')).equal(
      '/docs/errors/model_not_found',
    )
    expect(await axeFindings(page)).deep.equal([])
    await context.clearCookies()
    await page.getByLabel('Prompt', { exact: true }).fill('mine')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('Your session has ended').waitFor()
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).equal('mine')
  })

  it('shows a member their own requests and usage alone', async () => {
    const [own, other] = [await ask(CAROL_KEY, { model: 'm' }), await ask(KEY, { model: 'm' })]
    const page = await (await open()).newPage()
    await signIn(gateway, page, 'carol@test')
    await eventually(async () => {
      await page.goto(`${gateway.url}/console/requests`)
      return (await page.getByRole('link', { name: own }).count()) === 1
    }, 'the request')
    expect(await page.getByLabel('Whose').count()).equal(0)
    expect(await page.getByRole('link', { name: other }).count()).equal(0)
    for (const [path, status] of [
      [`requests/${other}`, 404],
      [`requests/${own}`, 200],
      ['requests?who=team', 404],
      ['usage?who=team', 404],
      ['usage.csv?who=team', 404],
      [`usage?account=${OTHER}`, 404],
      [`requests?account=${OTHER}`, 404],
    ] as const) {
      expect((await page.goto(`${gateway.url}/console/${path}`))?.status(), path).equal(status)
    }
  })

  it('pages through 10,000 requests, each shown once, and another tenant can use no cursor of them', async () => {
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
    const owner = { surface: 'gateway', endpoint: null, account_id: ACCOUNT, user_id: 'alice@test' } as const
    const rows = Array.from({ length: 10_000 }, (_, i) =>
      makeRecord({ ...owner, model_resolved: 'bulk', created_at: (Date.now() - 60_000 - i) * 1000 }),
    )
    for (let i = 0; i < rows.length; i += 1000) await insertRecords(store, rows.slice(i, i + 1000))
    await store.close()
    const context = await open({ javaScriptEnabled: false })
    const page = await context.newPage()
    await signIn(gateway, page, 'alice@test')
    await page.goto(`${gateway.url}/console/requests?model=bulk`)
    const seen = new Set<string>()
    for (let i = 0; i < 4; i++) {
      const ids = await page.locator('#requests td:nth-child(2) a').allTextContents()
      expect(ids).length(50)
      for (const id of ids) seen.add(id)
      if (i < 3) await page.getByRole('link', { name: 'Older' }).click()
    }
    expect(seen.size).equal(200)
    const path = new URL(page.url())
    const bob = await (await open()).newPage()
    await signIn(gateway, bob, BOB)
    path.searchParams.delete('account')
    await bob.goto(path.href)
    expect(await bob.locator('#requests td a').count()).equal(0)
    for (const id of [...seen].slice(0, 3))
      expect((await bob.goto(`${gateway.url}/console/requests/${id}`))?.status()).equal(404)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing that axe objects to, in ${colorScheme}, as wide as a phone`, async () => {
      const page = await (await open({ colorScheme, viewport: { width: 360, height: 740 } })).newPage()
      await signIn(gateway, page, 'alice@test')
      const check = async (name: string) => {
        expect(await axeFindings(page), name).deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).most(360)
      }
      for (const path of ['/console', '/console/usage', '/console/requests', '/console/try', '/console/keys']) {
        await page.goto(gateway.url + path)
        await check(path)
      }
      await page.getByRole('button', { name: 'Create key' }).click()
      await check('a new key')
      await page.getByRole('link', { name: 'All keys' }).click()
      await page.locator('td a').first().click()
      await check('a key')
      const id = await ask(KEY, { model: 'm', max_tokens: 1_000_000_000 })
      await eventually(async () => {
        const response = await page.goto(`${gateway.url}/console/requests/${id}`)
        return response?.status() === 200
      }, 'the request')
      await check('a request')
    })
  }
})
