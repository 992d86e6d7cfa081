import { expect } from 'chai'
import { ModelDiscovery } from '../../../../lib/backends/discovery/model-discovery.ts'
import { configOf } from '../../../support/config.ts'
import { eventually } from '../../../support/gateway.ts'
import { type ModelServer, modelServer } from '../../../support/model-server.ts'
import { silent } from '../../../support/stores.ts'

const CAPABLE = 'capabilities: { tools: true }'

describe('model discovery', () => {
  let server: ModelServer
  let discovery: ModelDiscovery
  let changes = 0
  beforeEach(async () => {
    server = await modelServer(['a', 'b'])
    changes = 0
    discovery = new ModelDiscovery({ log: silent, onChange: () => void changes++, firstMs: 2000 })
  })
  afterEach(async () => {
    discovery.close()
    await server.close()
  })

  const sourcesOf = (...entries: readonly string[]) => {
    const texts = entries.map(entry => `- { discover: { url: "${server.url}", every_seconds: 0.1 }, ${entry} }\n`)
    return configOf(`models:\n${texts.join('')}`).modelSources
  }
  const ids = () => discovery.found().map(({ id }) => id)

  it('waits for the first lists, asks servers once for several entries, and reports changes', async () => {
    const sources = sourcesOf(`allow: [a], defaults: { ${CAPABLE} }`, `allow: [b, c], defaults: { ${CAPABLE} }`)
    await discovery.prepare(sources)
    expect(ids()).deep.equal(['a', 'b'])
    expect(server.lists).equal(1)
    expect(discovery.found()[0]).deep.equal({
      id: 'a',
      source: sources[0]!.key,
      urls: [server.url],
      facts: { engine: 'vllm', max_model_len: 4096, capabilities: { tools: true }, profile: null },
    })
    const before = changes
    server.list = ['b']
    await eventually(() => ids().length === 1)
    expect(changes).equal(before + 1)
    expect(server.chats).deep.equal([])
  })

  it('does not wait for ever, and lists what comes later', async () => {
    server.answer = () => {}
    const from = performance.now()
    await discovery.prepare(sourcesOf(`defaults: { ${CAPABLE} }`))
    expect(performance.now() - from).least(1900)
    expect(ids()).deep.equal([])
    server.answer = undefined
    await eventually(() => ids().length === 2)
  })

  it('keeps what unchanged entries have found, and asks for others no more', async () => {
    const first = sourcesOf(`allow: [a], defaults: { ${CAPABLE} }`)
    await discovery.prepare(first)
    discovery.keep(first)
    const other = sourcesOf(`defaults: { ${CAPABLE}, backends: [{ api_key: k }] }`)
    server.answer = res => void res.writeHead(503).end()
    await discovery.prepare(other)
    discovery.keep(other)
    expect(ids(), 'the list of before, as the new entry allows it').deep.equal(['a', 'b'])
    expect(discovery.found()[0]!.source).equal(other[0]!.key)
    expect(discovery.notes()).deep.equal([
      `model discovery: ${server.url}: ${server.url}/models answers with status 503: the last list is kept`,
    ])
    discovery.keep([])
    expect([ids(), discovery.notes()]).deep.equal([[], []])
  })

  it('applies other members of an entry at once', async () => {
    await discovery.prepare(sourcesOf(`allow: [a], defaults: { ${CAPABLE} }`))
    expect(ids()).deep.equal(['a'])
    await discovery.prepare(sourcesOf(`allow: ["*"], defaults: { ${CAPABLE} }`))
    await eventually(() => ids().length === 2)
  })
})
