import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { checkPluginsExist } from '../../../../lib/config/checks/plugins.ts'
import { MODEL, problemsOf } from '../../../support/config.ts'

/** What is wrong with this value of `plugins`. */
const problemsWith = (plugins: string) => problemsOf(`plugins: ${plugins}${MODEL}`)

describe('checks on plugins', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    '{ off: [quota] }': ['plugins.base: is required'],
    '{ base: defualt }': ["plugins.base: must be 'default': did you mean 'default'?"],
    '{ base: default, of: [quota] }': ["plugins.of: unknown key 'of': did you mean 'off'?"],
    '[]': ['plugins: must be an array that is not empty'],
    none: ['plugins: must be an array or an object, not a string'],

    '{ base: default, off: [quotas] }': [
      "plugins.off.0: there is no plugin 'quotas' in the default chain: did you mean 'quota'?",
    ],
    '{ base: default, off: [quota, quota] }': ['plugins.off: entries 1 and 2 are the same'],

    '{ base: default, options: { rate-limits: {} } }': [
      "plugins.options.rate-limits: there is no plugin 'rate-limits' in the default chain: did you mean 'rate-limit'?",
    ],
    '{ base: default, off: [rate-limit], options: { rate-limit: {} } }': [
      "plugins.options.rate-limit: 'rate-limit' is switched off by plugins.off: remove one of the two",
    ],
    '{ base: default, options: { ./a.ts: {} }, add: [{ use: ./a.ts, after: model }] }': [
      "plugins.options../a.ts: './a.ts' is added by plugins.add.0: its options belong there",
    ],
    '{ base: default, options: { images: 1 } }': ['plugins.options.images: must be an object, not a number'],

    '{ base: default, add: [{ use: ./a.ts }] }': [
      'plugins.add.0: needs after or before: the plugin next to which it runs',
    ],
    '{ base: default, add: [{ use: ./a.ts, after: model, before: tools }] }': [
      'plugins.add.0: has both after and before: give one of them',
    ],
    '{ base: default, add: [{ after: model }] }': ['plugins.add.0.use: is required'],
    '{ base: default, add: [{ use: ./a.ts, after: modle }] }': [
      "plugins.add.0.after: there is no plugin 'modle' in the chain: did you mean 'model'?",
    ],
    '{ base: default, off: [quota], add: [{ use: ./a.ts, before: quota }] }': [
      "plugins.add.0.before: 'quota' is switched off by plugins.off: name a plugin that runs",
    ],
    '{ base: default, add: [{ use: ./a.ts, after: ./b.ts }, { use: ./b.ts, after: model }] }': [
      "plugins.add.0.after: './b.ts' is added further down: an anchor must be above the entry that names it",
    ],
    '{ base: default, add: [{ use: ./words.ts, after: model }, { use: ./b.ts, after: ./word.ts }] }': [
      "plugins.add.1.after: there is no plugin './word.ts' in the chain: did you mean './words.ts'?",
    ],
    '{ base: default, add: [{ use: quota, after: model }] }': [
      "plugins.add.0.use: 'quota' is in the default chain already: to move it, name it in plugins.off",
    ],
    '{ base: default, add: [{ use: ./a.ts, after: model }, { use: ./a.ts, after: auth }] }': [
      "plugins.add.1.use: './a.ts' is added twice: remove one",
    ],
  }
  for (const [plugins, problems] of Object.entries(refused)) {
    it(`${plugins}: ${problems[0]}`, () => {
      expect(problemsWith(plugins)).deep.equal(problems)
    })
  }

  it('names every problem at once', () => {
    expect(
      problemsWith('{ base: default, off: [x], options: { y: {} }, add: [{ use: ./a.ts, after: zzzzzz }] }'),
    ).lengthOf(3)
  })

  it('names plugins that cannot be found, less those that are switched off', () => {
    const asked: string[] = []
    const problems = (file: JsonObject) => {
      const found: string[] = []
      const missing = (use: string) => {
        asked.push(use)
        return use === 'auth' ? undefined : 'there is none.'
      }
      checkPluginsExist(file, missing, (path, message) => found.push(`${path}: ${message}`))
      return found
    }
    expect(problems({ plugins: { base: 'default', add: [{ use: './a.ts' }, { use: 'auth' }, {}] } })).deep.equal([
      "plugins.add.0.use: './a.ts': there is none",
    ])
    expect(problems({ plugins: [{ use: 'auth' }, { use: 'b' }, { use: 'c', enabled: false }] })).deep.equal([
      "plugins.1.use: 'b': there is none",
    ])
    expect(problems({})).deep.equal([])
    expect(asked).deep.equal(['./a.ts', 'auth', 'auth', 'b'])
  })

  it('accepts what can be done', () => {
    const add = '[{ use: ./a.ts, after: model }, { use: b, before: ./a.ts }, { use: quota, after: auth }]'
    expect(problemsWith(`{ base: default, off: [quota], options: { images: {} }, add: ${add} }`)).deep.equal([])
    expect(problemsWith('[{ use: auth }]')).deep.equal([])
  })
})
