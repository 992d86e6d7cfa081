import { expect } from 'chai'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of the chain', () => {
  const pages = usePages({ more: { plugins: { base: 'default', off: ['rate-limit'] } } })
  const names = (text: string) => [...text.matchAll(/<strong>([\w-]+)<\/strong>/g)].map(([, name]) => name)

  it('shows the plugins of a route in order, from client to backend', async () => {
    const { text } = await pages().get('/chain?route=gateway.chat')
    const shown = names(text)
    expect(shown.indexOf('auth')).within(1, shown.indexOf('model'))
    expect(textIn(text)).match(/Client .* Backend Lines/)
    expect(text).contain('<option value="gateway.chat" selected>')
    expect(textIn(text)).contain(
      'Lines of batches run through the chain of their route (gateway), without: concurrency, quota.',
    )
    const list = await pages().get('/chain?route=gateway.model-list')
    expect(textIn(list.text)).not.contain('Lines of batches run')
    expect(names(list.text)).include('model-list').and.not.include('translate')
    expect(textIn(list.text)).contain('Answered by one of these plugins')
  })

  it('has the options and the documentation of each plugin', async () => {
    const { text } = await pages().get('/chain')
    expect(text).contain('Options of ').and.contain('class="panel"')
    expect(text).not.match(/<a href="(?!\/|#main)/)
  })

  it('shows another route for an unknown name', async () => {
    expect((await pages().get('/chain?route=%3Cb%3E')).status).equal(200)
  })
})
