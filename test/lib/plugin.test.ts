import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { newChunk } from '../../lib/canonical/reply.ts'
import { parseConfig } from '../../lib/config/read.ts'
import type { Plugin } from '../../lib/core/plugin.ts'
import { defaultChain, planChains } from '../../lib/process/boot.ts'
import { play } from '../../lib/testing.ts'
import { chat, key } from '../../plugins/slots.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(repository, 'docs/PLUGINS.md'), 'utf8')

/** Code blocks of docs/PLUGINS.md that hold this text. */
function blocks(language: string, text: string): readonly string[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language && code!.includes(text) ? code! : [],
  )
}

const MODEL = 'models: [{ id: m, backends: [{ url: "http://127.0.0.1:8000/v1" }] }]'

/** The examples as an author outside this repository would have them, in files of their own beside a configuration. */
describe('plugins outside the repository', () => {
  let directory: string
  let plugins: readonly Plugin[]

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-plugins-'))
    // What `npm install /path/to/sluiceway` does.
    mkdirSync(join(directory, 'node_modules'))
    symlinkSync(repository, join(directory, 'node_modules/sluiceway'))
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(directory, 'options.json'), blocks('json', '"limit"')[0]!)
    const uses = blocks('ts', 'export default definePlugin').map((code, i) => {
      writeFileSync(join(directory, `plugin-${i}.ts`), code)
      return { use: `./plugin-${i}.ts`, enabled: true, options: {} }
    })
    const config = parseConfig(MODEL, { baseDir: directory, env: {}, fileName: 'test.yaml' })
    const plan = await planChains({ ...config, plugins: [...defaultChain(), ...uses] })
    expect(plan.problems).deep.equal([])
    plugins = plan.plugins.slice(-uses.length).map(({ plugin }) => plugin)
  })
  after(() => rmSync(directory, { recursive: true }))

  const named = (name: string) => plugins.find(plugin => plugin.name === name)!

  it('are all there, and each is loaded from its path', () => {
    expect(plugins.map(({ name }) => name)).deep.equal(['max-output', 'one-at-a-time', 'without-reasoning'])
  })

  it('refuse with errors that the gateway knows as its own', async () => {
    const { error } = await play(named('max-output'), { options: { limit: 100 }, given: [[chat, { maxTokens: 101 }]] })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error!.details.param).equal('max_tokens')
    expect(error!.message).equal('At most 100 tokens may be asked for.')
  })

  it('share slots with the built-in plugins, and give back what they took', async () => {
    const plugin = named('one-at-a-time')
    const hooks = await plugin.setup({}, {} as never)
    const once: Plugin = { ...plugin, setup: () => hooks }
    const given = [[key, { id: 'k1' }]] as const
    for (const _ of [1, 2]) expect((await play(once, { given })).error).equal(undefined)
    const nested: Plugin = { ...plugin, setup: () => ({ ...hooks, onFinish: () => {} }) }
    await play(nested, { given })
    const { error } = await play(once, { given })
    expect(error).include({ code: 'concurrency_limit_exceeded', status: 429 })
    expect(error!.details.headers).include({ 'retry-after': '1' })
  })

  it('change replies by a stage', async () => {
    const first = { ...newChunk(0), start: true, reasoning: 'Let me see.' }
    const last = { ...newChunk(0), text: 'Yes.', finish: 'stop' as const }
    const { chunks, ended } = await play(named('without-reasoning'), { chunks: [first, last] })
    expect(chunks.map(({ reasoning, text }) => [reasoning, text])).deep.equal([
      [undefined, undefined],
      [undefined, 'Yes.'],
    ])
    expect(ended).equal('end')
  })

  it('are shown as the template has them', () => {
    const read = (file: string) => readFileSync(join(repository, 'plugins/_template', file), 'utf8')
    expect(blocks('json', '"limit"')[0]).equal(read('options.json'))
    const own = read('index.ts')
      .replace('../../lib/plugin.ts', 'sluiceway/plugin')
      .replace("'_template'", "'max-output'")
    expect(blocks('ts', "name: 'max-output'")[0]).equal(own)
  })
})
