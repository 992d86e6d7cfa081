import { expect } from 'chai'
import { writeHistory } from '../../../support/history.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of a model over time', () => {
  const pages = usePages()

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
})
