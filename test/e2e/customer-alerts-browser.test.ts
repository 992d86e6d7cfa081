/** A customer's alert in a browser, from the form to a receiver, with two gateways that share a store. */
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { consoleGateway, signIn } from '../support/console.ts'
import { ACCOUNT, eventually, KEY, type TestGateway } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe("customers' alerts in a browser", function () {
  // A browser is slow if all processors are busy.
  this.timeout(300_000)
  const open = useBrowser()
  let receiver: Receiver
  const gateways: TestGateway[] = []
  before(async () => {
    receiver = await startReceiver()
    const simulator = await simulatorWith({ answer_tokens: 5, models: [{ id: 'upstream-m' }] })
    const more = {
      console: { alerts: true },
      image_fetch: { allow: ['127.0.0.1/32'] },
      plans: { team: { limits: { budget_cents: { amount: 1, window: '30d' } } } },
    }
    const backend = `${simulator.root}/v1`
    const first = await consoleGateway(backend, backend, more)
    gateways.push(first)
    gateways.push(await consoleGateway(backend, backend, { ...more, store: `sqlite:${join(first.dir, 'store.db')}` }))
  })
  after(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()))
    await Promise.all([receiver.close(), closeSimulators()])
  })

  const fill = async (page: Page, percent: string, url: string) => {
    await page.getByLabel('Watches').selectOption(`account:${ACCOUNT}`)
    await page.getByLabel('Percent, or USD').fill(percent)
    await page.getByLabel('URL of the receiver').fill(url)
    await page.getByRole('button', { name: 'Create alert' }).click()
  }

  it('are created, tested, sent once and deleted', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await signIn(gateways[0]!, page, 'alice@test')
    await page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).click()
    expect(await heading(page)).equal('Alerts')
    await page.getByText('No alerts yet').waitFor()
    expect(await axeFindings(page)).deep.equal([])

    await fill(page, '0.1', 'http://10.0.0.1/hook')
    await page.locator('#url-problem', { hasText: 'The host of the URL has no public address.' }).waitFor()
    expect(await page.getByLabel('Percent, or USD').inputValue()).equal('0.1')
    await fill(page, '0.1', receiver.url)
    expect(await heading(page)).equal('Your new alert')
    receiver.secret = (await page.locator('[data-copy]').textContent())!
    expect(await axeFindings(page)).deep.equal([])
    await page.getByRole('link', { name: 'All alerts' }).click()
    expect(await page.content()).not.contain(receiver.secret)

    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The receiver has accepted the test event.').waitFor()
    expect(receiver.deliveries.map(({ isSigned, body }) => [isSigned, body.type])).deep.equal([[true, 'alert.test']])

    for (const gateway of gateways) {
      const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 }
      const headers = { authorization: `Bearer ${KEY}` }
      expect((await gateway.post('/v1/chat/completions', body, { headers })).status).equal(200)
    }
    await eventually(() => receiver.deliveries.length > 1, 'the event', 60_000)
    const { isSigned, body } = receiver.deliveries[1]!
    expect(isSigned).equal(true)
    expect(body.type).equal('budget.used')
    expect(body.data).include({ account: 'test', key_id: null, threshold: 0.001, limit_cents: 1, currency: 'USD' })
    expect(JSON.stringify(receiver.deliveries)).not.contain(KEY).and.not.contain('Hello')
    await page.goto(`${gateways[1]!.url}/console/alerts`)
    expect(await heading(page)).equal('Alerts')
    await eventually(async () => {
      await page.reload()
      return (await page.getByText('crossed', { exact: true }).count()) === 1
    })
    // Both gateways have checked in this time.
    await new Promise(resolve => setTimeout(resolve, 12_000))
    expect(receiver.deliveries).length(2)
    const sent = await Promise.all(
      gateways.map(gateway => gateway.metric('sluiceway_customer_alerts_total', 'type="budget.used",outcome="sent"')),
    )
    expect(sent.toSorted()).deep.equal([0, 1])

    await page.getByRole('button', { name: 'Delete' }).click()
    expect(await heading(page)).equal('Delete the alert?')
    expect(await axeFindings(page)).deep.equal([])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The alert is deleted.').waitFor()
    await page.getByText('No alerts yet').waitFor()
    expect(problems).deep.equal([])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fit a phone, work without script, and have no findings of axe (${colorScheme})`, async () => {
      const context = await open({ colorScheme, viewport: { width: 360, height: 740 } })
      const page = await context.newPage()
      await signIn(gateways[0]!, page, 'alice@test')
      await page.goto(`${gateways[0]!.url}/console`)
      await page.getByRole('main').getByRole('link', { name: 'Alerts' }).click()
      const { url } = receiver
      await fill(page, '90', `${url}/${'a-long-path-'.repeat(20)}`)
      expect(await heading(page)).equal('Your new alert')
      expect(await page.evaluate(SIDEWAYS)).equal(0)
      const quiet = await open({
        javaScriptEnabled: false,
        viewport: { width: 360, height: 740 },
        storageState: await context.storageState(),
      })
      const plain = await quiet.newPage()
      await plain.goto(`${gateways[0]!.url}/console/alerts`)
      receiver.answers.push(500)
      await plain.getByRole('button', { name: 'Send a test event' }).first().click()
      await plain.getByText('The test event was not delivered.').waitFor()
      await plain.getByText('The answer had status 500 instead of 2xx.').waitFor()
      await page.goto(`${gateways[0]!.url}/console/alerts`)
      expect(await page.evaluate(SIDEWAYS)).equal(0)
      expect(await axeFindings(page)).deep.equal([])
      await plain.getByRole('button', { name: 'Delete' }).first().click()
      await plain.getByRole('button', { name: 'Delete' }).click()
      await plain.getByText('The alert is deleted.').waitFor()
    })
  }
})
