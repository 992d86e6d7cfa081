import { expect } from 'chai'
import type { PluginEntry } from '../../../lib/config/chain.ts'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { configOf, MODEL } from '../../support/config.ts'

const chainOf = (plugins: string) => configOf(`plugins: ${plugins}${MODEL}`, {}, '/etc/sluiceway').plugins
const uses = (entries: readonly PluginEntry[]) => entries.filter(({ enabled }) => enabled).map(({ use }) => use)

/** The default chain with these behind `model`. */
function behindModel(...names: string[]): readonly string[] {
  const chain = [...defaultChain()]
  chain.splice(chain.indexOf('model') + 1, 0, ...names)
  return chain
}

describe('chain', () => {
  it('is the default chain where the file has none', () => {
    const { origin, entries } = configOf(MODEL).plugins
    expect(origin).equal('default')
    expect(uses(entries)).deep.equal(defaultChain())
  })

  it('is the default chain where nothing is changed', () => {
    const { origin, entries } = chainOf('{ base: default }')
    expect(origin).equal('changes')
    expect(entries).deep.equal(configOf(MODEL).plugins.entries)
  })

  it('switches plugins off, and keeps their position', () => {
    const { entries } = chainOf('{ base: default, off: [quota, credits] }')
    expect(uses(entries)).deep.equal(defaultChain().filter(name => name !== 'quota' && name !== 'credits'))
    expect(entries.map(({ use }) => use)).deep.equal(defaultChain())
    expect(entries.find(({ use }) => use === 'quota')).include({ change: 'off', path: 'plugins.off' })
  })

  it('gives options to a plugin of the default chain', () => {
    const { entries } = chainOf('{ base: default, options: { images: { max_bytes: 5 } } }')
    expect(entries.filter(({ change }) => change !== 'none')).deep.equal([
      { use: 'images', enabled: true, options: { max_bytes: 5 }, change: 'options', path: 'plugins.options.images' },
    ])
  })

  it('runs a plugin that is off by default where there are options for it, or where it is added', () => {
    const at = (plugins: string) => chainOf(plugins).entries.findIndex(({ use }) => use === 'trace')
    const options = '{ endpoint: http://collector:4318 }'
    const { entries } = chainOf(`{ base: default, options: { trace: ${options} } }`)
    expect(entries.filter(({ change }) => change !== 'none')).deep.equal([
      {
        use: 'trace',
        enabled: true,
        options: { endpoint: 'http://collector:4318' },
        change: 'added',
        path: 'plugins.options.trace',
      },
    ])
    expect(uses(entries).at(-3)).equal('trace')
    expect(at(`{ base: default, add: [{ use: trace, after: request-id, options: ${options} }] }`)).equal(1)
    expect(at('{ base: default }')).equal(-1)
    expect(at('{ base: default, off: [trace] }')).equal(-1)
  })

  it('adds a file or a package below or above a plugin', () => {
    const { entries } = chainOf(
      "{ base: default, add: [{ use: ./words.ts, after: model, options: { a: 1 } }, { use: '@acme/x', before: sampling }] }",
    )
    expect(uses(entries)).deep.equal(behindModel('/etc/sluiceway/words.ts', '@acme/x'))
    expect(entries.find(({ change }) => change === 'added')).deep.equal({
      use: '/etc/sluiceway/words.ts',
      enabled: true,
      options: { a: 1 },
      change: 'added',
      path: 'plugins.add.0',
    })
  })

  it('keeps the order of entries with the same anchor', () => {
    const below = '[{ use: a, after: model }, { use: b, after: model }, { use: c, after: model }]'
    expect(uses(chainOf(`{ base: default, add: ${below} }`).entries)).deep.equal(behindModel('a', 'b', 'c'))
    const above = '[{ use: a, before: sampling }, { use: b, before: sampling }]'
    expect(uses(chainOf(`{ base: default, add: ${above} }`).entries)).deep.equal(behindModel('a', 'b'))
  })

  it('takes the `use` of an earlier entry as an anchor', () => {
    const cases = {
      '[{ use: a, after: model }, { use: b, after: a }, { use: c, after: model }]': ['a', 'b', 'c'],
      '[{ use: a, after: model }, { use: b, before: a }, { use: c, after: model }]': ['b', 'a', 'c'],
      '[{ use: a, after: model }, { use: b, before: sampling }, { use: c, after: model }]': ['a', 'c', 'b'],
      '[{ use: ./a.ts, after: model }, { use: b, after: ./a.ts }]': ['/etc/sluiceway/a.ts', 'b'],
    }
    for (const [add, names] of Object.entries(cases))
      expect(uses(chainOf(`{ base: default, add: ${add} }`).entries), add).deep.equal(behindModel(...names))
  })

  it('moves a plugin that is switched off and added', () => {
    const { entries } = chainOf('{ base: default, off: [quota], add: [{ use: quota, after: model }] }')
    expect(uses(entries)).deep.equal(behindModel('quota').filter((name, i) => name !== 'quota' || i > 20))
  })
})
