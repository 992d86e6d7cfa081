import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Surface } from '../../../lib/config/surface.ts'
import { definePlugin } from '../../../lib/core/plugin.ts'
import { slot } from '../../../lib/core/slots.ts'
import { type PlannedPlugin, planChains } from '../../../lib/process/boot.ts'
import { chainText, chainViewer } from '../../../lib/process/chain-view.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { moduleText, planSetup } from '../../support/plan.ts'

const golden = new URL('../../golden/explain.txt', import.meta.url)
const goldenOfChanges = new URL('../../golden/explain-changes.txt', import.meta.url)

const planned = (plugin: PlannedPlugin['plugin']): PlannedPlugin => ({ plugin, options: {}, change: 'none' })

describe('the text of a chain', () => {
  const { write, planOf } = planSetup()

  it('pins the order of the default chain on every route (UPDATE_GOLDEN=1 rewrites it)', async () => {
    const { plugins } = await planChains(configOf(MODEL))
    const text = chainText(plugins)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text)
    expect(text).equal(readFileSync(golden, 'utf8'))
  })

  it('marks what differs from the default chain (UPDATE_GOLDEN=1 rewrites it)', async () => {
    const words = moduleText('words', { routes: { proxied: true } })
    write('words.mjs', words)
    const { shown, problems } = await planOf(
      '{ base: default, off: [quota], options: { images: { max_bytes: 5000000 } }, add: [{ use: ./words.mjs, after: model }] }',
    )
    expect(problems).deep.equal([])
    const text = chainText(shown)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(goldenOfChanges, text)
    expect(text).equal(readFileSync(goldenOfChanges, 'utf8'))
  })

  it('says how chains of requests that no client sends differ', () => {
    const of = (name: string, surface: readonly Surface[], route: 'chat' | 'landing' = 'chat') =>
      planned(definePlugin({ name, summary: 'Sums up.', routes: { surface, route: [route] }, setup: () => ({}) }))
    const off = { ...of('off', ['gateway']), change: 'off' } as const
    const all = [of('clients', ['gateway', 'dedicated']), of('lines', ['batch']), of('other', ['gateway'], 'landing')]
    expect(
      chainText([...all, of('both', ['gateway', 'batch']), off])
        .trimEnd()
        .split('\n')
        .slice(-2),
    ).deep.equal([
      'Lines of batches run through the chain of their route (gateway), without: clients; with: lines',
      'Requests of the gateway itself, such as questions of the guard to a model, run through the chain of their route (gateway), without: clients, both',
    ])
  })

  it('shows what runs where, in order, with what each plugin fills', () => {
    const first = definePlugin({
      name: 'first',
      summary: 'Comes first.',
      routes: { route: ['landing'] },
      provides: [slot('explain-a').of<1>(), slot('explain-b').of<2>()],
      setup: () => ({}),
    })
    const second = definePlugin({ name: 'second', summary: 'Runs everywhere.', setup: () => ({}) })
    const blocks = chainText([planned(first), planned(second)]).split('\n\n')
    expect(blocks.find(block => block.startsWith('GET / (gateway.landing)'))).equal(
      [
        'GET / (gateway.landing)',
        '  first              Comes first.  -> explain-a, explain-b',
        '  second             Runs everywhere.',
      ].join('\n'),
    )
    expect(blocks.find(block => block.startsWith('anything else (api.unmatched)'))).equal(
      'anything else (api.unmatched)\n  second             Runs everywhere.',
    )
  })
})

describe('the chain for operators’ pages', () => {
  it('has the chain of every route, as explain prints it, with options and pages', async () => {
    const config = configOf(MODEL)
    const { routes, plugins } = await chainViewer(() => config)()
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
