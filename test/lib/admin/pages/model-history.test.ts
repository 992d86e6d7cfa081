import { expect } from 'chai'
import { writeHistory } from '../../../support/history.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of a model over time', () => {
  const pages = usePages({ more: { stored_models: true } })

  it('is linked from the list of models and from its entry', async () => {
    for (const path of ['/models', '/models/m'])
      expect((await pages().get(path)).text, path).contain('href="/models/m/history"')
  })

  it('shows traffic, queue, limits and saturation, with links to its backends', async () => {
    const empty = textIn((await pages().get('/models/m/history')).text)
    expect(empty).contain('Nothing was measured in this time')
    const { backends } = await pages().api('GET', '/admin/v1/backends')
    const url = String((backends as { url: string }[])[0]!.url)
    await writeHistory(pages().gateway, url)
    const { text } = await pages().get('/models/m/history?range=1h')
    const shown = textIn(text)
    expect(shown)
      .contain('Saturation 25 %')
      .and.match(/Turned away \d\d no backend/)
    for (const title of ['Requests per minute', 'Requests in flight', 'Saturation', 'Queue of the model'])
      expect(shown).contain(title)
    expect(text).contain(`href="/backends/history?model=m&amp;url=${encodeURIComponent(url)}"`)
    expect(shown).contain(`${url} up`).and.contain('configuration reloaded')
  })

  it('takes an id with a slash, which is encoded in its path', async () => {
    const body = { id: 'org/long', backends: [{ url: 'http://127.0.0.1:9/v1' }] }
    expect((await pages().api('POST', '/admin/v1/models', body)).id).equal('org/long')
    const { text } = await pages().get('/models/org%2Flong/history?range=1h')
    expect(text).contain('<h1>org/long</h1>').and.contain('href="/models/org%2Flong/history?range=24h"')
    expect(textIn(text)).contain('http://127.0.0.1:9/v1')
  })
})
