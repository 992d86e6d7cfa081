import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { BOB, consoleGateway, OTHER, signIn } from '../support/console.ts'
import { ACCOUNT, type TestGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const run = promisify(execFile)
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

describe('the console in a browser', () => {
  const open = useBrowser()
  let gateway: TestGateway
  before(async () => {
    const { root } = await simulatorWith({ answer_tokens: 5, models: [{ id: 'upstream-m' }] })
    gateway = await consoleGateway(`${root}/v1`)
  })
  after(async () => {
    await gateway?.close()
    await closeSimulators()
  })

  it('signs in and out, keeps its styles, and breaks no policy', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateway, page, 'alice@test')
    expect(await heading(page)).equal('Console')
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

    // Loading the page again sends the form again, which creates nothing.
    await page.reload()
    await page.getByText('has created its key already').waitFor()
    expect(await page.getByRole('link', { name: 'ci <1>' }).count()).equal(1)

    await page.getByRole('link', { name: 'ci <1>' }).click()
    expect(await heading(page)).equal('ci <1>')
    await page.getByLabel('Label').fill('deploy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The key is changed.').waitFor()
    expect(await heading(page)).equal('deploy')
    expect(await page.getByLabel('Last day').inputValue()).equal('2099-12-31')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('The key is disabled.').waitFor()
    expect(await opens(secret!)).equal(401)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The key is enabled.').waitFor()
    expect(await opens(secret!)).equal(200)

    await page.getByLabel('Until clients have the new one').selectOption('3600')
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const rotated = await page.locator('[data-copy]').textContent()
    expect(await Promise.all([secret!, rotated!].map(opens))).deep.equal([200, 200])
    await page.getByRole('link', { name: 'To your keys' }).click()
    await page.getByRole('link', { name: 'deploy' }).click()
    await page.getByText('Secret before').waitFor()
    await page.getByRole('button', { name: 'Revoke for ever' }).click()
    await page.getByText('The key is revoked').waitFor()
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
    await page.getByText('not of your present session').waitFor()
    expect(await page.getByLabel('Label').inputValue()).equal('patient')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await heading(page)).equal('Your new key')
    await page.goto(`${gateway.url}/console/keys`)
    expect(await page.getByRole('link', { name: 'patient' }).count()).equal(1)
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
    await alice.getByRole('link', { name: 'To your keys' }).click()
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

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing that axe objects to, in ${colorScheme}, as wide as a phone`, async () => {
      const page = await (await open({ colorScheme, viewport: { width: 360, height: 740 } })).newPage()
      await signIn(gateway, page, 'alice@test')
      const check = async (name: string) => {
        expect(await axeFindings(page), name).deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).most(360)
      }
      for (const path of ['/console', '/console/keys']) {
        await page.goto(gateway.url + path)
        await check(path)
      }
      await page.getByRole('button', { name: 'Create key' }).click()
      await check('a new key')
      await page.getByRole('link', { name: 'To your keys' }).click()
      await page.locator('td a').first().click()
      await check('a key')
    })
  }
})
