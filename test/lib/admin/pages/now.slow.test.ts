import { expect } from 'chai'
import { eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page Overview', () => {
  const pages = usePages()
  const table = async () => textIn((await pages().get('/')).text.split('id="backends"')[1]!.split('</table>')[0]!)
  const backend = async () => {
    const [one] = (await pages().api('GET', '/admin/v1/backends')).backends as { url: string }[]
    return one!.url
  }

  it('shows all backends, the state of the gateway, and four plots with their numbers', async () => {
    const { text } = await pages().get('/')
    const url = await backend()
    expect(await table()).match(new RegExp(`m :${new URL(url).port} up 0 / ∞ .* Drain ${RegExp.escape(url)} of m`))
    expect(text).contain(`title="${url}"`)
    for (const word of ['ready', 'answers', 'sqlite', 'memory', 'healthy']) expect(textIn(text)).contain(word)
    expect(text.match(/data-plot=/g)).lengthOf(4)
    expect(text).contain('Five seconds of every five minutes')
  })

  it('drains a backend and ends the drain, in the name of the operator', async () => {
    const url = await backend()
    const drained = await pages().send('/drain', { url, model: 'm', confirmed: 'yes' })
    expect(drained.status).equal(200)
    expect(textIn(drained.text)).contain(`${url} of m is drained`).and.not.contain('Last hour of m')
    await eventually(async () => (await table()).includes('drained'))
    expect((await pages().get('/')).text).contain('action="/undrain"')
    await pages().send('/undrain', { url, model: 'm' })
    await eventually(async () => (await table()).includes(' up '))
    const { entries } = await pages().api('GET', '/admin/v1/audit')
    const seen = (entries as { action: string; actor: string }[]).map(({ action, actor }) => [
      action,
      actor.split(' (')[0],
    ])
    expect(seen.slice(0, 2)).deep.equal([
      ['backend.undrain', 'operator alice'],
      ['backend.drain', 'operator alice'],
    ])
  })

  it('shows why a backend cannot be drained', async () => {
    const { status, text } = await pages().send('/drain', { url: 'http://nowhere/v1' })
    expect(status).equal(404)
    expect(textIn(text)).contain('Nothing was changed.').and.contain('there is no backend http://nowhere/v1')
  })

  it('shows the failures of requests, with a link to each', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'simulate: status=500' }] }
    const id = (await pages().gateway.post('/v1/chat/completions', body)).headers.get('x-request-id')!
    await eventually(async () => (await pages().get('/')).text.includes(`/requests/${id}`), 'the failure', 30_000)
  })

  it('shows the plots of one model, which remains chosen', async () => {
    await eventually(async () => (await pages().get('/')).text.includes('<option value="m">'), 'the model', 30_000)
    const { text } = await pages().get('/?model=m')
    expect(textIn(text)).contain('Last hour of m')
    expect(text).contain('<option value="m" selected>').and.contain('data-model="m"')
    expect((await pages().get('/?model=<none>')).text).contain('data-model="&lt;none&gt;"')
  })

  it('sends events with texts of cells, a point for each plot, and the failures', async () => {
    const response = await fetch(`${pages().origin}/live`, { headers: { cookie: pages().cookie } })
    let text = ''
    for await (const piece of response.body!) {
      text += new TextDecoder().decode(piece)
      if (/data: .*\n\n/.test(text)) break
    }
    const update = JSON.parse(/data: (.*)\n\n/.exec(text)![1]!)
    const { text: page } = await pages().get('/')
    expect(page).contain(`data-layout="${update.layout}"`)
    for (const [key] of update.cells) expect(page).contain(`data-live="${key}"`)
    expect(Object.keys(update.plots)).deep.equal(['requests', 'ttft', 'tokens', 'load'])
    for (const own of Object.values(update.models) as object[])
      expect(Object.keys(own)).deep.equal(Object.keys(update.plots))
    expect(update.ready).deep.equal(['ready', 'good'])
    expect(update.failures).contain('/requests/req_')
    expect(page).contain('What routing assumes')
  })
})
