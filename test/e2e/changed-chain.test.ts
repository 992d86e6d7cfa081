import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { configFile, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'

const pluginModule = new URL('../../lib/plugin.ts', import.meta.url).href

/** A word filter, as an operator might write it. */
const WORDS = `import { chat, definePlugin, fail } from '${pluginModule}'
export default definePlugin({
  name: 'words',
  summary: 'Refuses prompts with certain words.',
  routes: { proxied: true, canonical: true },
  options: {
    type: 'object',
    additionalProperties: false,
    required: ['words'],
    properties: { words: { type: 'array', items: { type: 'string' } } },
  },
  needs: [chat],
  setup: ({ words }) => ({
    onBody(exchange) {
      const text = JSON.stringify(exchange.get(chat).messages)
      if (words.some(word => text.includes(word)))
        fail('schema_validation_failed', { problem: 'The prompt has a word that is not allowed.' }, { param: 'messages' })
    },
  }),
})
`

describe('a changed default chain', () => {
  let directory: string
  let backend: ScriptedBackend
  let gateway: TestGateway

  const plan = { requests: { limit: 1, window: '1d' } }
  const configOf = (plugins: JsonObject): TestConfig => ({
    backends: [backend.url],
    account: { plan: 'small' },
    more: { plans: { small: plan }, plugins },
  })
  const added = (...words: string[]) => ({
    base: 'default',
    off: ['quota'],
    add: [{ use: join(directory, 'words.ts'), after: 'model', options: { words } }],
  })
  const ask = (content: string) =>
    gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content }] })
  const reload = (plugins: JsonObject) =>
    gateway.gateway.reload(
      parseConfig(JSON.stringify(configFile(gateway.dir, configOf(plugins))), {
        baseDir: gateway.dir,
        env: {},
        fileName: 'test.json',
      }),
    )

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-words-'))
    writeFileSync(join(directory, 'words.ts'), WORDS)
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
    backend = await scriptedBackend()
    gateway = await testGateway(configOf(added('swordfish')))
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('runs an added word filter, and not the quota that is switched off', async () => {
    for (const _ of [1, 2, 3]) expect(await ask('Hello!')).property('status', 200)
    const calls = backend.requests.length
    const refused = await ask('swordfish')
    expect(refused).property('status', 422)
    expect(await refused.json()).nested.property('error.message', 'The prompt has a word that is not allowed.')
    expect(backend.requests).lengthOf(calls)
  })

  it('changes with a reload', async () => {
    await reload(added('marlin'))
    expect(await ask('swordfish')).property('status', 200)
    expect(await ask('marlin')).property('status', 422)
    await reload({ base: 'default' })
    const statuses = [(await ask('marlin')).status, (await ask('marlin')).status]
    expect(statuses).deep.equal([200, 429])
  })
})
