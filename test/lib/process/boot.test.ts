import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { builtInNames, defaultChain, type Plan, placements, planChains } from '../../../lib/process/boot.ts'
import { temporaryDirectory } from '../../support/cli.ts'
import { configOf, MODEL } from '../../support/config.ts'

const slots = new URL('../../../lib/core/slots.ts', import.meta.url).href

/** What a plugin of a test declares; slots by their names. */
interface Declared {
  readonly needs?: readonly string[]
  readonly provides?: readonly string[]
  readonly wants?: readonly string[]
  readonly reads?: readonly string[]
  readonly after?: readonly string[]
  readonly options?: JsonObject
  readonly routes?: JsonObject
}

const ONE_ROUTE = { route: ['model-list'] }

function moduleText(name: string, { needs, provides, wants, reads, after, options, routes }: Declared): string {
  const members = { name, summary: '', after, options, routes: routes ?? ONE_ROUTE }
  return `import { slot } from '${slots}'
const slots = names => names?.map(name => slot(name).of())
export default {
  ...${JSON.stringify(members)},
  needs: slots(${JSON.stringify(needs)}),
  provides: slots(${JSON.stringify(provides)}),
  wants: slots(${JSON.stringify(wants)}),
  reads: slots(${JSON.stringify(reads)}),
  setup: () => ({}),
}
`
}

describe('boot', () => {
  const dir = temporaryDirectory()

  function write(file: string, text: string): void {
    const path = join(dir(), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** The plan of a configuration with exactly these entries under `plugins`. Paths are shown from its directory. */
  async function planned(entries: readonly (string | JsonObject)[]): Promise<Plan> {
    const plugins = entries.map(entry => (typeof entry === 'string' ? { use: entry } : entry))
    const plan = await planChains(configOf(`${MODEL}\nplugins: ${JSON.stringify(plugins)}`, {}, dir()))
    return { ...plan, problems: plan.problems.map(problem => problem.replaceAll(`${dir()}/`, './')) }
  }

  /** What is wrong with a chain of these plugins, top to bottom, on the one route they run on. */
  async function problemsOf(chain: Readonly<Record<string, Declared>>): Promise<readonly string[]> {
    for (const [name, declared] of Object.entries(chain)) write(`${name}.mjs`, moduleText(name, declared))
    const { problems } = await planned(Object.keys(chain).map(name => `./${name}.mjs`))
    return problems.flatMap(problem => /^gateway\.model-list(?: and \d+ more)?: (.*)/.exec(problem)?.[1] ?? [])
  }

  describe('the default chain', () => {
    it('can run as it stands', async () => {
      const { plugins, problems, notes } = await planChains(configOf(MODEL))
      expect(problems).deep.equal([])
      expect(notes).deep.equal([])
      expect(plugins.map(({ plugin }) => plugin.name)).deep.equal(defaultChain().map(({ use }) => use))
    })

    it('names every built-in, and each is called as its folder', async () => {
      expect(
        defaultChain()
          .map(({ use }) => use)
          .sort(),
      ).deep.equal([...builtInNames()].sort())
      expect(builtInNames()).not.contain('_template').and.not.contain('slots.ts')
    })

    it('is checked on every surface of every route, and where no route matches', () => {
      const places = [...placements()].map(([route, surface]) => `${surface}.${route.name}`)
      expect(places).include.members(['gateway.chat', 'dedicated.chat', 'gateway.responses', 'api.unmatched'])
      expect(places).include('dedicated.unmatched-messages').and.not.include('dedicated.responses')
    })
  })

  describe('order', () => {
    it('a needed slot is filled by some plugin', async () => {
      expect(await problemsOf({ reader: { needs: ['boot-a'] } })).deep.equal([
        "'reader' needs slot 'boot-a', which nothing in this chain provides; add the plugin that does.",
      ])
    })

    it('a needed slot is filled above', async () => {
      expect(await problemsOf({ reader: { needs: ['boot-a'] }, maker: { provides: ['boot-a'] } })).deep.equal([
        "'reader' needs slot 'boot-a'; move it below 'maker'.",
      ])
    })

    it('a wanted slot is filled above, if at all', async () => {
      expect(await problemsOf({ reader: { wants: ['boot-a'] }, maker: { provides: ['boot-a'] } })).deep.equal([
        "'reader' wants slot 'boot-a'; move it below 'maker'.",
      ])
      expect(await problemsOf({ reader: { wants: ['boot-a'] } })).deep.equal([])
    })

    it('what must come after another does', async () => {
      expect(await problemsOf({ second: { after: ['first'] }, first: {} })).deep.equal([
        "'second' must come after 'first'; move it below 'first'.",
      ])
      expect(await problemsOf({ second: { after: ['first'] } })).deep.equal([])
    })

    it('a slot is filled once', async () => {
      expect(await problemsOf({ one: { provides: ['boot-a'] }, two: { provides: ['boot-a'] } })).deep.equal([
        "slot 'boot-a' is filled by both 'one' and 'two'; remove one.",
      ])
    })

    it('is free for slots that are only read at the end', async () => {
      expect(await problemsOf({ reader: { reads: ['boot-a'] }, maker: { provides: ['boot-a'] } })).deep.equal([])
    })

    it('is no matter between plugins that never meet', async () => {
      const elsewhere = { provides: ['boot-a'], routes: { route: ['landing'] } }
      expect(await problemsOf({ reader: { wants: ['boot-a'] }, elsewhere })).deep.equal([])
      expect(await problemsOf({ elsewhere, other: { needs: ['boot-a'] } })).deep.equal([
        "'other' needs slot 'boot-a', which 'elsewhere' fills on other routes only; narrow the routes of 'other'.",
      ])
    })

    it('is fine as it should be', async () => {
      const chain = {
        first: { provides: ['boot-a'] },
        second: { needs: ['boot-a'], wants: ['boot-b'], provides: ['boot-b'], after: ['first'] },
      }
      expect(await problemsOf(chain)).deep.equal([])
    })

    it('says once what is true of many routes', async () => {
      write('reader.mjs', moduleText('reader', { needs: ['boot-a'], routes: { proxied: true } }))
      const { problems } = await planned(['./reader.mjs'])
      expect(problems.filter(problem => problem.includes("'reader' needs"))).deep.equal([
        "gateway.chat and 6 more: 'reader' needs slot 'boot-a', which nothing in this chain provides; add the plugin that does.",
      ])
    })

    it('names the built-in plugin that fills a slot, to who has left it out', async () => {
      expect((await planned(['zdr'])).problems).include(
        "gateway.chat and 23 more: 'zdr' needs slot 'key', which nothing in this chain provides; add 'auth', which does.",
      )
    })
  })

  it('a route to a backend has a request and a target', async () => {
    const { problems } = await planned(['request-id'])
    expect(problems).deep.equal([
      "gateway.chat and 6 more: no plugin fills slot 'chat', without which nothing can be sent to a backend; add 'translate'.",
      "gateway.chat and 6 more: no plugin fills slot 'target', without which nothing can be sent to a backend; add 'model'.",
    ])
  })

  it('a plugin is in the chain once, however it is called', async () => {
    write('copy.mjs', moduleText('request-id', {}))
    const { problems } = await planned(['request-id', './copy.mjs'])
    expect(problems).include("plugins.1 ('./copy.mjs'): plugin 'request-id' is in the chain twice; remove one.")
  })

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
      const there = `Built-ins: ${builtInNames().join(', ')}. A file's path starts with './'.`
      const unknown = `there is no built-in plugin and no installed package of this name. ${there}`
      expect(problems.slice(0, 5)).deep.equal([
        `plugins.0 ('reqest-id'): ${unknown.replace('name.', "name: did you mean 'request-id'?")}`,
        `plugins.1 ('./gone.ts'): there is no file ./gone.ts.`,
        `plugins.2 ('@acme/none'): ${unknown}`,
        `plugins.3 ('_template'): ${unknown}`,
        `plugins.4 ('only-import'): its package.json exports nothing under the condition 'default' or 'require'.`,
      ])
    })

    it('never a directory', async () => {
      write('own/index.mjs', moduleText('own', {}))
      expect((await planned(['./own'])).problems[0]).equal(
        "plugins.0 ('./own'): is a directory: name the file in it, such as ./own/index.ts.",
      )
    })

    it('a module whose default export is one', async () => {
      const wrong = ['export const name = 1', 'export default 1', 'export default null', 'export default { name: "x" }']
      for (const [i, text] of wrong.entries()) write(`${i}.mjs`, text)
      write('throws.mjs', 'throw new Error("no licence")')
      const { problems } = await planned([...wrong.map((_, i) => `./${i}.mjs`), './throws.mjs'])
      for (const [i] of wrong.entries())
        expect(problems[i]).equal(
          `plugins.${i} ('./${i}.mjs'): its module has no plugin as default export; write \`export default definePlugin({ name, summary, setup })\`.`,
        )
      expect(problems[wrong.length]).equal("plugins.4 ('./throws.mjs'): no licence")
    })
  })

  describe('what a plugin says of itself', () => {
    let made = 0
    const problemsWith = async (text: string) => {
      // A module is loaded once, whatever its file holds later.
      const file = `own-${++made}.mjs`
      write(file, `export default { name: 'own', summary: '', setup: () => ({}), ${text} }`)
      const { problems } = await planned([`./${file}`])
      const where = `plugins.0 ('./${file}'): `
      return problems.filter(problem => problem.startsWith(where)).map(problem => problem.slice(where.length))
    }

    it('is about routes that there are', async () => {
      expect(await problemsWith("routes: { route: ['chatt', 'landing'], surface: ['moon'] }")).deep.equal([
        "there is no route 'chatt': did you mean 'chat'?",
        "there is no surface 'moon'.",
      ])
      expect(await problemsWith('routes: { proxed: true }')).deep.equal([
        "its routes have no column 'proxed': did you mean 'proxied'?",
      ])
      expect(await problemsWith("routes: { access: 'session', proxied: false, canonical: true }")).deep.equal([])
    })

    it('is spelt as it is read', async () => {
      expect(await problemsWith('need: []')).deep.equal(["the plugin has a member 'need': did you mean 'needs'?"])
      expect(await problemsWith("version: '1.0'")).deep.equal([])
    })
  })

  describe('options', () => {
    const options = {
      type: 'object',
      additionalProperties: false,
      required: ['limit'],
      properties: { limit: { type: 'integer', default: 7 }, on: { type: 'array', items: { type: 'string' } } },
    }

    /** The options that the plugin is given and what is wrong with them. */
    async function checked(given: JsonObject, schema: JsonObject | undefined = options) {
      write('own.mjs', moduleText('own', schema === undefined ? {} : { options: schema }))
      const { plugins, problems } = await planned([{ use: './own.mjs', options: given }])
      return { options: plugins[0]?.options, problems: problems.filter(problem => problem.startsWith('plugins.')) }
    }

    it('are completed with the defaults of the schema', async () => {
      expect(await checked({})).deep.equal({ options: { limit: 7 }, problems: [] })
      expect(await checked({ limit: 3, on: ['a'] })).deep.equal({ options: { limit: 3, on: ['a'] }, problems: [] })
    })

    it('are refused by name and by type, all at once', async () => {
      expect((await checked({ limt: 3, limit: '3', on: ['a', 1] })).problems).deep.equal([
        "plugins.0 ('./own.mjs'): options has no member 'limt': did you mean 'limit'?",
        "plugins.0 ('./own.mjs'): options.limit must be integer.",
        "plugins.0 ('./own.mjs'): options.on.1 must be string.",
      ])
    })

    it('are refused where there are none', async () => {
      write('none.mjs', moduleText('none', {}))
      const { problems } = await planned([{ use: './none.mjs', options: { limit: 1 } }])
      expect(problems[0]).equal("plugins.0 ('./none.mjs'): takes no options.")
    })

    it('are not filled into the configuration itself', async () => {
      write('own.mjs', moduleText('own', { options }))
      const config = configOf(`${MODEL}\nplugins: [{ use: ./own.mjs }]`, {}, dir())
      await planChains(config)
      expect(config.plugins?.[0]?.options).deep.equal({})
    })
  })

  describe('built-ins that a chain does not name', () => {
    it('are noted, and are no problem', async () => {
      const { notes, problems } = await planned(['request-id', { use: 'zdr', enabled: false }])
      const names = notes.map(
        note => /^The built-in plugin '([^']+)' is not in your chain: add it, or /.exec(note)?.[1],
      )
      expect(names.sort()).deep.equal(
        builtInNames()
          .filter(name => name !== 'request-id' && name !== 'zdr')
          .sort(),
      )
      expect(problems.join('\n')).not.contain('is not in your chain')
    })

    it('and those switched off are not even loaded', async () => {
      const { plugins, problems } = await planned([{ use: './gone.ts', enabled: false }])
      expect(plugins).deep.equal([])
      expect(problems.filter(problem => problem.startsWith('plugins.'))).deep.equal([])
    })
  })

  it('leaves nothing behind in the directory of the configuration', async () => {
    await planned(['request-id'])
    expect(readdirSync(dir())).deep.equal([])
  })
})
