import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { moduleText, planSetup } from '../../support/plan.ts'

describe('plugin-loader', () => {
  const { dir, write, planned } = planSetup()

  describe('where plugins come from', () => {
    it('the gateway, a file beside the configuration, or an installed package', async () => {
      write('own/audit.mjs', moduleText('audit', {}))
      write('node_modules/@acme/limit/package.json', '{"name":"@acme/limit","type":"module","exports":"./main.js"}')
      write('node_modules/@acme/limit/main.js', moduleText('acme-limit', {}))
      const { plugins } = await planned(['request-id', './own/audit.mjs', '@acme/limit', join(dir(), 'own/audit.mjs')])
      expect(plugins.map(({ plugin }) => plugin.name)).deep.equal(['request-id', 'audit', 'acme-limit', 'audit'])
    })

    it('nowhere else: a missing one is named with what there is', async () => {
      write('node_modules/only-import/package.json', '{"type":"module","exports":{"import":"./main.js"}}')
      write('node_modules/only-import/main.js', moduleText('only-import', {}))
      const { problems, plugins } = await planned(['reqest-id', './gone.ts', '@acme/none', '_template', 'only-import'])
      expect(plugins).deep.equal([])
      const there = "config/default-chain.yaml lists the built-ins; a file's path starts with './'."
      const unknown = `there is no built-in plugin and no installed package of this name. ${there}`
      expect(problems.slice(0, 5)).deep.equal([
        `line 6: plugins.0 ('reqest-id'): ${unknown.replace('name.', "name: did you mean 'request-id'?")}`,
        `line 6: plugins.1 ('./gone.ts'): there is no file ./gone.ts.`,
        `line 6: plugins.2 ('@acme/none'): ${unknown}`,
        `line 6: plugins.3 ('_template'): ${unknown}`,
        `line 6: plugins.4 ('only-import'): its package.json exports nothing under the condition 'default' or 'require'.`,
      ])
    })

    it('never a directory', async () => {
      write('own/index.mjs', moduleText('own', {}))
      expect((await planned(['./own'])).problems[0]).equal(
        "line 6: plugins.0 ('./own'): is a directory: name the file in it, such as ./own/index.ts.",
      )
    })

    it('only those that import the copy of the gateway that runs', async () => {
      const own = fileURLToPath(new URL('../../..', import.meta.url)).slice(0, -1)
      const importing = (name: string) => `import 'sluiceway/plugin'\n${moduleText(name, {})}`
      write('plugin/audit.mjs', importing('audit'))
      mkdirSync(join(dir(), 'plugin/node_modules'))
      symlinkSync(own, join(dir(), 'plugin/node_modules/sluiceway'))
      expect((await planned(['./plugin/audit.mjs'])).plugins).lengthOf(1)
      write('other/words.mjs', importing('words'))
      write('other/alone.mjs', moduleText('alone', {}))
      write(
        'other/node_modules/sluiceway/package.json',
        '{"name":"sluiceway","exports":{"./package.json":"./package.json"}}',
      )
      expect((await planned(['./other/words.mjs'])).problems[0]).equal(
        `line 6: plugins.0 ('./other/words.mjs'): it imports another copy of the gateway, in ./other/node_modules/sluiceway. \`npm install ${own}\` in ./other links the one that runs.`,
      )
      expect((await planned(['./other/alone.mjs'])).plugins).lengthOf(1)
    })

    it('a module whose default export is one', async () => {
      const wrong = ['export const name = 1', 'export default 1', 'export default null', 'export default { name: "x" }']
      for (const [i, text] of wrong.entries()) write(`${i}.mjs`, text)
      write('throws.mjs', 'throw new Error("no licence")')
      const { problems } = await planned([...wrong.map((_, i) => `./${i}.mjs`), './throws.mjs'])
      for (const [i] of wrong.entries())
        expect(problems[i]).equal(
          `line 6: plugins.${i} ('./${i}.mjs'): its module has no plugin as default export; write \`export default definePlugin({ name, summary, setup })\`.`,
        )
      expect(problems[wrong.length]).equal("line 6: plugins.4 ('./throws.mjs'): no licence")
    })
  })
})
