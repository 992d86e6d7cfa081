import { expect } from 'chai'
import { writeHistory } from '../../../support/history.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the pages of backends', () => {
  const pages = usePages()
  let url = ''
  let path = ''

  before(async () => {
    const { backends } = await pages().api('GET', '/admin/v1/backends')
    url = String((backends as { url: string }[])[0]!.url)
    path = `/backends/history?${new URLSearchParams({ model: 'm', url }).toString()}`
  })

  it('list those of all models, with links to the page of each', async () => {
    const { text } = await pages().get('/backends/list')
    expect(text)
      .contain(`href="${path.replaceAll('&', '&amp;')}"`)
      .and.contain('href="/models/m/history"')
    expect(textIn(text)).contain(`:${new URL(url).port} up m 0 / ∞`)
    expect(text).contain('href="/backends/list.csv"')
    expect((await pages().get('/backends/list.csv')).text).contain(`\r\nm,${url},`)
    const now = await pages().get('/')
    expect(now.text)
      .contain(`href="${path.replaceAll('&', '&amp;')}"`)
      .and.contain('href="/models/m/history"')
  })

  it('say that nothing was measured yet, or ever', async () => {
    const { text } = await pages().get(`${path}&range=1h`)
    expect(textIn(text)).contain('Nothing was measured in this time').and.contain('Now: up')
    const gone = textIn((await pages().get('/backends/history?model=gone&url=http://gone/v1')).text)
    expect(gone).contain('The configuration no longer names it')
  })

  it('show the history of a backend in each range', async () => {
    await writeHistory(pages().gateway, url)
    for (const range of ['1h', '24h', '7d', '30d']) {
      const { text, status } = await pages().get(`${path}&range=${range}`)
      expect(status).equal(200)
      const shown = textIn(text)
      expect(shown).contain('ejected health check').and.contain('configuration reloaded')
      for (const title of ['State', 'Reloads', 'Time to the first token', 'Queue', 'Prefix cache', 'predicted and'])
        expect(shown, range).contain(title)
    }
    expect(textIn((await pages().get(`${path}&range=1h`)).text)).match(/Failures by kind .* 50 %/)
  })

  it('refuse a wrong range', async () => {
    expect((await pages().get(`${path}&range=1y`)).status).equal(422)
  })
})
