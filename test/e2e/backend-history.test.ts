import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../lib/store/store.ts'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { writeHistory } from '../support/history.ts'
import { operatorPagesOf, usePages } from '../support/operators.ts'
import { silent } from '../support/stores.ts'

describe('the history of a backend', () => {
  it('has the work of a process that has ended', async () => {
    const pages = await operatorPagesOf()
    const { gateway } = pages
    try {
      const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
      for (let i = 0; i < 3; i++) await (await gateway.post('/v1/chat/completions', body)).text()
      expect((await gateway.post('/v1/chat/completions', { ...body, stream: false })).status).equal(200)
      await gateway.gateway.drain()
      const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: silent })
      const rows = await store.db.selectFrom('backend_minutes').selectAll().where('backend', '!=', '').execute()
      await store.close()
      const sum = (name: 'requests' | 'failed' | 'input_tokens' | 'output_tokens' | 'up_ms') =>
        rows.reduce((all, row) => all + row[name], 0)
      expect([sum('requests'), sum('failed')]).deep.equal([4, 0])
      for (const name of ['input_tokens', 'output_tokens', 'up_ms'] as const) expect(sum(name), name).above(0)
      const streams = rows.flatMap(row => Object.entries(row).filter(([name]) => name.startsWith('ttft_')))
      expect(streams.reduce((all, [, count]) => all + Number(count), 0)).equal(3)
    } finally {
      await pages.close()
    }
  })

  describe('in a browser', () => {
    const open = useBrowser()
    const pages = usePages()

    it('leads from the Overview to the plots of a backend and its model, on a phone too', async () => {
      const { backends } = await pages().api('GET', '/admin/v1/backends')
      const url = String((backends as { url: string }[])[0]!.url)
      await writeHistory(pages().gateway, url)
      const context = await open({ viewport: { width: 360, height: 700 } })
      const [name = '', value = ''] = pages().cookie.split('=')
      await context.addCookies([{ name, value, url: pages().origin }])
      const page = await context.newPage()
      const problems = pageProblems(page)
      const check = async (heading: string, plots: number) => {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
        await page
          .locator('.plot canvas')
          .nth(plots - 1)
          .waitFor()
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await axeFindings(page), colorScheme).deep.equal([])
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).most(360)
      }

      await page.goto(pages().origin)
      await page
        .getByRole('link', { name: `:${new URL(url).port}`, exact: true })
        .first()
        .click()
      await check(url.replace('http://', ''), 10)
      await page.getByRole('link', { name: '1 hour' }).click()
      await page.getByRole('heading', { name: 'Failures by kind' }).waitFor()
      await page.getByRole('link', { name: 'm', exact: true }).click()
      await check('m', 10)
      await page.getByRole('link', { name: 'Backends', exact: true }).click()
      await page.getByRole('heading', { name: 'Backends', level: 1 }).waitFor()
      expect(await axeFindings(page)).deep.equal([])
      await page.getByRole('link', { name: 'Over time', exact: true }).click()
      await page.getByRole('heading', { name: 'Backends over time', level: 1 }).waitFor()
      expect(await axeFindings(page)).deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).most(360)
      await page.getByRole('link', { name: /TTFT p95 of 24 steps of 1h/ }).click()
      await page.getByRole('heading', { name: url.replace('http://', ''), level: 1 }).waitFor()
      expect(problems).deep.equal([])
    })
  })
})
