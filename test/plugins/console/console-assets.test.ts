import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-assets/index.ts'

const ask = (file: string) => play(plugin, { params: { version: 'any', file } })

describe('console-assets', () => {
  it('sends a file with its type', async () => {
    const { reply, headers } = await ask('style.css')
    expect(reply).include({ status: 200, contentType: 'text/css; charset=utf-8' })
    expect(reply?.body).contain('color-scheme: light dark')
    expect(headers).include({ 'x-content-type-options': 'nosniff' })
  })

  it('has no others', async () => {
    expect((await ask('..%2Fassets.ts')).error).include({ code: 'http_404' })
  })
})
