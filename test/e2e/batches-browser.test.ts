/** A customer's batch, from the upload on a page to the price on the usage page, next to live traffic. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { consoleGateway, signIn } from '../support/console.ts'
import { eventually, KEY, type TestGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const URL = '/v1/chat/completions'
const GOOD = 30

const line = (custom_id: string, body: object = {}) =>
  JSON.stringify({
    custom_id,
    method: 'POST',
    url: URL,
    body: { model: 'm', messages: [{ role: 'user', content: `Question ${custom_id}` }], ...body },
  })

describe('a batch in a browser', function () {
  // A browser is slow if all processors are busy.
  this.timeout(300_000)
  const open = useBrowser()
  let gateway: TestGateway
  before(async () => {
    const models = [{ id: 'upstream-m', max_model_len: 400 }]
    const simulator = await simulatorWith({ answer_tokens: 5, models })
    gateway = await consoleGateway(`${simulator.root}/v1`, `${simulator.root}/v1`, {
      batches: { growth: 10, max_added_ttft_ms: 1000 },
      plans: { team: { batches: { price_factor: 0.5 } } },
    })
  })
  after(async () => {
    await gateway?.close()
    await closeSimulators()
  })

  /** The lines of the file behind a link. */
  const download = async (page: Page, name: RegExp) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
    const text = readFileSync(await file.path(), 'utf8')
    return text
      .trimEnd()
      .split('\n')
      .map(one => JSON.parse(one))
  }

  it('is uploaded, watched next to live traffic, downloaded, looked up and paid', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    let isLive = true
    const statuses = new Set<number>()
    const traffic = (async () => {
      while (isLive) {
        const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
        const response = await gateway.post(URL, body, { headers: { authorization: `Bearer ${KEY}` } })
        statuses.add(response.status)
        await response.text()
        await sleep(300)
      }
    })()
    await signIn(gateway, page, 'alice@test')
    await page.getByRole('link', { name: 'Batches' }).click()
    expect(await axeFindings(page)).deep.equal([])
    const lines = Array.from({ length: GOOD }, (_, i) => line(`r${i}`))
    // Too long for the model, which only its server knows: a line that fails.
    lines.push(line('long', { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] }))
    await page.getByLabel('File with JSON lines').setInputFiles({
      ...{ name: 'questions.jsonl', mimeType: 'application/jsonl' },
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Upload and start' }).click()
    await page.getByRole('heading', { level: 1, name: /^Batch batch_/ }).waitFor()
    const batch = page.url()
    const id = /batch_[0-9a-f]{24}/.exec(batch)![0]
    expect(await axeFindings(page)).deep.equal([])
    await eventually(
      async () => {
        await page.goto(batch)
        return (await page.getByText('completed', { exact: true }).count()) > 0
      },
      'the end of the batch',
      40_000,
    )
    isLive = false
    await traffic
    expect([...statuses]).deep.equal([200])
    const output = await download(page, /^Output/)
    expect(output.map(({ custom_id }) => custom_id).toSorted()).deep.equal(
      Array.from({ length: GOOD }, (_, i) => `r${i}`).toSorted(),
    )
    const errors = await download(page, /^Errors/)
    expect(errors.map(({ custom_id, response }) => [custom_id, response.status_code])).deep.equal([['long', 400]])
    expect(await download(page, /^Input/)).lengthOf(GOOD + 1)

    // Every line has its record.
    await eventually(async () => {
      await page.goto(batch)
      await page.getByRole('link', { name: 'The requests of this batch' }).click()
      return (await page.locator('#requests tbody tr').count()) >= GOOD
    }, 'the records')
    await page.locator('#requests tbody tr').last().getByRole('link').first().click()
    expect(await page.textContent('main')).contain(id)

    await page.goto(batch)
    const price = await page.locator('.card', { hasText: 'Price' }).locator('dd').textContent()
    const tokens = output.reduce(
      (sum, { response: { body } }) => sum + body.usage.prompt_tokens * 100 + body.usage.completion_tokens * 300,
      0,
    )
    expect(tokens).above(0)
    await page.getByRole('link', { name: 'Usage' }).click()
    const usage = await page.locator('.card', { hasText: 'Cost' }).locator('dd').textContent()
    // Half of the list price, of the lines alone.
    const costs = gateway.records().filter(({ batch_id }) => batch_id === id)
    expect(costs.reduce((sum, { cost_microcents: cost }) => sum + (cost ?? 0), 0)).closeTo(tokens / 2, GOOD)
    expect([price, usage].every(text => /\d/.test(text ?? ''))).equal(true)
    expect(problems).deep.equal([])
  })
})
