import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { defaultChain, offByDefault } from '../../../lib/config/default-chain.ts'
import { planChains, routeSurfaces } from '../../../lib/process/boot.ts'
import { builtInNames } from '../../../lib/process/plugin-loader.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { type Declared, moduleText, planSetup } from '../../support/plan.ts'

describe('boot', () => {
  const { dir, write, planned } = planSetup()

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
      expect(plugins.map(({ plugin }) => plugin.name)).deep.equal(defaultChain())
    })

    it('names every built-in, and each is called as its folder', async () => {
      expect([...defaultChain(), ...offByDefault()].toSorted()).deep.equal(builtInNames())
      expect(builtInNames()).not.contain('_template').and.not.contain('slots.ts')
    })
  })

  it('accepts a list from before byte pipes: their routes are not served', async () => {
    const list = defaultChain().filter(name => name !== 'pipe-model')
    expect((await planned(list)).problems).deep.equal([])
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

    it('does not matter between plugins that share no route', async () => {
      const elsewhere = { provides: ['boot-a'], routes: { route: ['landing'] } }
      expect(await problemsOf({ reader: { wants: ['boot-a'] }, elsewhere })).deep.equal([])
      expect(await problemsOf({ elsewhere, other: { needs: ['boot-a'] } })).deep.equal([
        "'other' needs slot 'boot-a', which 'elsewhere' fills on other routes only; narrow the routes of 'other'.",
      ])
    })

    it('is accepted when it is right', async () => {
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

    it('names the built-in plugin that fills a missing slot', async () => {
      expect((await planned(['zdr'])).problems).include(
        "gateway.chat and 35 more: 'zdr' needs slot 'key', which nothing in this chain provides; add 'auth', which does.",
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
    expect(problems).include("line 6: plugins.1 ('./copy.mjs'): plugin 'request-id' is in the chain twice; remove one.")
  })

  describe('error codes', () => {
    const CODE = [403, 'permission_error', 'No.']

    async function codeProblems(...tables: readonly JsonObject[]) {
      const entries = tables.map((table, i) => {
        write(`own${i}.mjs`, moduleText(`own${i}`, { errors: { table } }))
        return `./own${i}.mjs`
      })
      const { problems } = await planned(entries)
      return problems.flatMap(problem => /^line \d+: plugins\.\d+ \(.*?\): (.*)/.exec(problem)?.[1] ?? [])
    }

    it('are accepted if no other has them', async () => {
      expect(await codeProblems({ acme_one: CODE, acme_two: CODE }, { acme_three: CODE })).deep.equal([])
    })

    it('are refused if the gateway or another plugin has them', async () => {
      expect(await codeProblems({ invalid_api_key: CODE, acme_one: CODE }, { acme_one: CODE })).deep.equal([
        "error code 'invalid_api_key' is one of the gateway; rename it.",
        "error code 'acme_one' is one of own0; rename it.",
      ])
    })

    it('are refused with a wrong name, status, type or message', async () => {
      expect(
        await codeProblems({
          'Acme-One': CODE,
          acme_status: [200, 'permission_error', 'No.'],
          acme_type: [403, 'other_error', 'No.'],
          acme_message: [403, 'permission_error', ''],
        }),
      ).deep.equal([
        "error code 'Acme-One' is not 3 to 64 of a-z, 0-9 and underscore, from a letter on.",
        "error code 'acme_status': its status is not from 400 to 599.",
        "error code 'acme_type': there is no type 'other_error'.",
        "error code 'acme_message' has no message.",
      ])
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
      return {
        options: plugins[0]?.options,
        problems: problems.filter(problem => /^line \d+: plugins\./.test(problem)),
      }
    }

    it('are completed with the defaults of the schema', async () => {
      expect(await checked({})).deep.equal({ options: { limit: 7 }, problems: [] })
      expect(await checked({ limit: 3, on: ['a'] })).deep.equal({ options: { limit: 3, on: ['a'] }, problems: [] })
    })

    it('are refused by name and by type, all at once', async () => {
      expect((await checked({ limt: 3, limit: '3', on: ['a', 1] })).problems).deep.equal([
        "line 6: plugins.0 ('./own.mjs'): options.limt: unknown key 'limt': did you mean 'limit'?",
        "line 6: plugins.0 ('./own.mjs'): options.limit: must be a whole number, not a string.",
        "line 6: plugins.0 ('./own.mjs'): options.on.1: must be a string, not a number: put it in quotes.",
      ])
    })

    it('are refused with the line that they are on', async () => {
      const one = 'models: [{ id: m, backends: [{ url: http://a/v1 }] }]'
      write('own.mjs', moduleText('own', { options }))
      const lists = '\nplugins:\n- use: ./own.mjs\n  options:\n    on: [a]\n    limit: many\n    more: 1'
      const { problems } = await planChains(configOf(`${one}${lists}`, {}, dir()))
      const changes = '\nplugins:\n  base: default\n  options:\n    images:\n      max_byte: 1'
      const changed = await planChains(configOf(`${one}${changes}`, {}, dir()))
      const placed = [...problems, ...changed.problems].filter(problem => problem.includes('ptions'))
      expect(placed.map(problem => problem.split(' (')[0])).deep.equal([
        'line 7: plugins.0',
        'line 6: plugins.0',
        'line 6: plugins.options.images',
      ])
    })

    it('are refused where there are none', async () => {
      write('none.mjs', moduleText('none', {}))
      const { problems } = await planned([{ use: './none.mjs', options: { limit: 1 } }])
      expect(problems[0]).equal("line 6: plugins.0 ('./none.mjs'): takes no options.")
    })

    it('are not filled into the configuration itself', async () => {
      write('own.mjs', moduleText('own', { options }))
      const config = configOf(`${MODEL}\nplugins: [{ use: ./own.mjs }]`, {}, dir())
      await planChains(config)
      expect(config.plugins.entries[0]?.options).deep.equal({})
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
          .filter(name => name !== 'request-id' && name !== 'zdr' && !offByDefault().includes(name))
          .sort(),
      )
      expect(problems.join('\n')).not.contain('is not in your chain')
    })

    it('and those switched off are not even loaded', async () => {
      const { plugins, problems } = await planned([{ use: './gone.ts', enabled: false }])
      expect(plugins).deep.equal([])
      expect(problems.filter(problem => /^(line \d+: )?plugins\./.test(problem))).deep.equal([])
    })
  })

  describe('what a plugin declares', () => {
    let made = 0
    const problemsWith = async (text: string) => {
      // A module is loaded once, whatever its file holds later.
      const file = `own-${++made}.mjs`
      write(file, `export default { name: 'own', summary: '', setup: () => ({}), ${text} }`)
      const { problems } = await planned([`./${file}`])
      const where = `line 6: plugins.0 ('./${file}'): `
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

  it('plans every route on each of its surfaces, and requests that match none', () => {
    const names = [...routeSurfaces()].map(([route, surface]) => `${surface}.${route.name}`)
    expect(names).include.members(['gateway.chat', 'dedicated.chat', 'gateway.responses', 'api.unmatched'])
    expect(names).include('dedicated.unmatched-messages').and.not.include('dedicated.responses')
  })

  it('leaves nothing behind in the directory of the configuration', async () => {
    await planned(['request-id'])
    expect(readdirSync(dir())).deep.equal([])
  })
})
