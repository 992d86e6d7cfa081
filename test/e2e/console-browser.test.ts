import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { loginLink } from '../support/console.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'

const OPTIONS = { backends: ['http://127.0.0.1:9/v1'] }

describe('the console in a browser', () => {
  const open = useBrowser()
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway(OPTIONS)
  })
  after(() => gateway?.close())

  const signIn = async (page: Page, user: string) => {
    await page.goto(await loginLink(gateway, OPTIONS, user))
    await page.getByRole('link', { name: 'to the console' }).click()
  }

  it('signs in and out, keeps its styles, and breaks no policy', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(page, 'alice@test')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).equal('Console')
    expect(await page.evaluate('document.styleSheets[0].cssRules.length')).above(10)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).equal('Signed out')
    await page.goto(`${gateway.url}/console/keys`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).equal('Not signed in')
    expect(problems).deep.equal([])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing that axe objects to, in ${colorScheme}`, async () => {
      const page = await (await open({ colorScheme })).newPage()
      await signIn(page, 'alice@test')
      for (const path of ['/console', '/console/keys']) {
        await page.goto(gateway.url + path)
        expect(await axeFindings(page), path).deep.equal([])
      }
    })
  }
})
