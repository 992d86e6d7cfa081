import { expect } from 'chai'
import { chainView, chainViewer } from '../../../lib/process/chain-view.ts'
import { configOf, MODEL } from '../../support/config.ts'

describe('chainView', () => {
  it('has the chain of every route, as explain prints it, with options and pages', async () => {
    const { routes, plugins } = await chainView(configOf(MODEL))
    const chat = routes.find(({ id }) => id === 'gateway.chat')!
    expect(chat).deep.include({ title: 'POST /v1/chat/completions (gateway)', proxied: true })
    for (const { plugins: names } of routes) for (const name of names) expect(plugins.has(name), name).equal(true)
    const own = plugins.get('auth')!
    expect(own).deep.include({ change: 'none', fills: ['key'] })
    expect(own.page).match(/^\nFinds the key/)
    const described = [...plugins.values()].find(plugin => Object.keys(plugin.described).length > 0)!
    for (const [option, text] of Object.entries(described.described)) {
      expect(text, option).not.equal('')
      expect(described.options, described.name).an('object')
    }
  })

  it('is made once for a configuration', async () => {
    let config = configOf(MODEL)
    const view = chainViewer(() => config)
    const first = await view()
    expect(await view()).equal(first)
    config = { ...config, models: [] }
    expect(await view()).equal(first)
    config = configOf(MODEL)
    expect(await view()).not.equal(first)
  })
})
