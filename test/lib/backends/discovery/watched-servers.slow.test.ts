import { expect } from 'chai'
import { WatchedServers } from '../../../../lib/backends/discovery/watched-servers.ts'
import type { SimulatorOptions } from '../../../../simulator/options.ts'
import { configOf } from '../../../support/config.ts'
import { eventually } from '../../../support/gateway.ts'
import { type ModelServer, modelServer, sendList } from '../../../support/model-server.ts'
import { silent } from '../../../support/stores.ts'

describe('watched servers', () => {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close()
  })

  async function serverOf(ids: readonly string[], options?: SimulatorOptions): Promise<ModelServer> {
    const server = await modelServer(ids, options)
    open.push(server)
    return server
  }

  function watch(server: ModelServer, more = '') {
    const entry = `{ discover: { url: "${server.url}", every_seconds: 0.1 } ${more} }`
    const lines: string[] = []
    const log = silent.child({}, { level: 'info' })
    const note = (facts: object, text: string) => void lines.push(`${text} ${JSON.stringify(facts)}`)
    Object.assign(log, { info: note, warn: note })
    const { modelSources } = configOf(`models: [${entry}]`)
    const watched = new WatchedServers(modelSources, { log, onChange: () => {}, before: undefined })
    open.push(watched)
    return { watched, lines, ids: () => watched.found.map(({ id }) => id) }
  }

  it('probe each model once, before it is found, and again after it was away', async () => {
    const server = await serverOf(['a', 'b'])
    server.list = ['a']
    const { watched, ids, lines } = watch(server)
    expect(ids()).deep.equal([])
    await watched.first
    expect(watched.found[0]!.facts).deep.include({ engine: 'vllm', max_model_len: 4096 })
    expect(watched.found[0]!.facts.profile).not.equal(null)
    const chatsOf = (id: string) => server.chats.filter(({ model }) => model === id).length
    const first = chatsOf('a')
    server.list = ['b']
    await eventually(() => String(ids()) === 'b')
    expect(watched.found[0]!.facts.profile).not.equal(null)
    server.list = ['b', 'a']
    await eventually(() => String(ids()) === 'b,a')
    expect(chatsOf('a')).equal(2 * first)
    const facts = (models: number, added: string[], gone: string[]) =>
      `models discovered ${JSON.stringify({ source: server.url, models, added, gone })}`
    expect(lines).deep.equal([facts(1, ['a'], []), facts(0, [], ['a']), facts(1, ['b'], []), facts(2, ['a'], [])])
  })

  it('do not hold a model back for a slow probe, and improve it afterwards', async () => {
    const server = await serverOf(['a'], { first_token_ms: 350 })
    const { watched, ids } = watch(server)
    const from = performance.now()
    await watched.first
    expect(performance.now() - from).least(7500)
    expect(ids()).deep.equal(['a'])
    expect(watched.found[0]!.facts.profile).equal(null)
    await eventually(() => watched.found[0]!.facts.profile !== null)
  })

  it('find a model that cannot be probed, with three attempts', async () => {
    const server = await serverOf(['a'])
    server.list = ['not-chat']
    const { watched, lines } = watch(server)
    await watched.first
    await eventually(() => lines.filter(line => line.includes('cannot be probed')).length === 3)
    const { lists } = server
    await eventually(() => server.lists > lists + 3)
    expect(lines.filter(line => line.includes('cannot be probed'))).length(3)
    expect(watched.found.map(({ id, facts }) => [id, facts.profile])).deep.equal([['not-chat', null]])
  })

  it('neither probe models that are not loaded, nor other kinds, nor those that are not allowed', async () => {
    const server = await serverOf(['a', 'b'])
    server.answer = res => sendList(res, [{ id: 'a', owned_by: 'vllm', status: { value: 'unloaded' } }])
    const { watched, ids } = watch(server)
    await watched.first
    server.answer = undefined
    const others = [watch(server, ', defaults: { kind: embedding }'), watch(server, ', allow: [c]')]
    await Promise.all(others.map(one => one.watched.first))
    expect([ids(), ...others.map(one => one.ids())]).deep.equal([['a'], ['a', 'b'], []])
    expect(server.chats).deep.equal([])
    await eventually(() => watched.found[0]!.facts.profile !== null)
  })

  it('ask a server once at a time, also after a change of the entry', async () => {
    const server = await serverOf(['a'])
    const { watched } = watch(server, ', defaults: { kind: embedding }')
    await watched.first
    server.answer = () => {}
    const { lists } = server
    await eventually(() => server.lists === lists + 1)
    const { modelSources } = configOf(`models: [{ discover: { url: "${server.url}" }, allow: [b] }]`)
    watched.update(modelSources)
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(server.lists).equal(lists + 1)
  })

  it('use a thousand models at most, and none with a long id', async () => {
    const server = await serverOf(['a'])
    const data = Array.from({ length: 1500 }, (_, i) => ({ id: `m${i}`, owned_by: 'vllm' }))
    server.answer = res => sendList(res, [{ id: 'x'.repeat(201), owned_by: 'vllm' }, ...data])
    const { watched, ids } = watch(server, ', defaults: { capabilities: { tools: true } }')
    await watched.first
    expect([ids().length, ids()[0]]).deep.equal([1000, 'm0'])
    expect(watched.notes()).deep.equal([`model discovery: ${server.url}: 1501 are listed: only 1000 are used`])
  })
})
