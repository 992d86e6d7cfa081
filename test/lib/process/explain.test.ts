import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { definePlugin } from '../../../lib/core/plugin.ts'
import { slot } from '../../../lib/core/slots.ts'
import { type PlannedPlugin, planChains } from '../../../lib/process/boot.ts'
import { explain } from '../../../lib/process/explain.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { moduleText, planSetup } from '../../support/plan.ts'

const golden = new URL('../../golden/explain.txt', import.meta.url)
const goldenOfChanges = new URL('../../golden/explain-changes.txt', import.meta.url)

const planned = (plugin: PlannedPlugin['plugin']): PlannedPlugin => ({ plugin, options: {}, change: 'none' })

describe('explain', () => {
  const { write, planOf } = planSetup()

  it('pins the order of the default chain on every route (UPDATE_GOLDEN=1 rewrites it)', async () => {
    const { plugins } = await planChains(configOf(MODEL))
    const text = explain(plugins)
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
    const text = explain(shown)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(goldenOfChanges, text)
    expect(text).equal(readFileSync(goldenOfChanges, 'utf8'))
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
    const blocks = explain([planned(first), planned(second)]).split('\n\n')
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
