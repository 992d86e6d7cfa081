import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { Cli, runCli, temporaryDirectory } from '../support/cli.ts'
import { dnsServer } from '../support/dns-server.ts'
import { configFile, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { type ModelServer, modelServer, sendList } from '../support/model-server.ts'
import { useOpened } from '../support/opened.ts'
import { operatorKey } from '../support/operators.ts'
import { useRedis } from '../support/services.ts'

const SECOND = { every_seconds: 0.1 }

const chat = (model: string, more: JsonObject = {}) => ({ model, messages: [{ role: 'user', content: 'Hi' }], ...more })

describe('models that entries discover', () => {
  const redis = useRedis()
  const directory = temporaryDirectory()
  const opened = useOpened()
  const serverOf = (ids: readonly string[], options = {}) => opened(modelServer(ids, options))
  const gatewayOf = (models: readonly JsonObject[], more: JsonObject = {}) =>
    opened(testGateway({ backends: [], more: { models: models as never, ...more } }))

  const cardsOf = async (gateway: TestGateway) =>
    ((await (await gateway.get('/v1/models')).json()) as { data: JsonObject[] }).data
  const idsOf = async (gateway: TestGateway) => (await cardsOf(gateway)).map(({ id }) => id)
  const statusOf = async (gateway: TestGateway, model: string, more?: JsonObject) => {
    const response = await gateway.post('/v1/chat/completions', chat(model, more))
    await response.arrayBuffer()
    return response.status
  }

  it('are listed with what the probe found, and follow the list; a stream of one that is gone ends whole', async () => {
    const server = await serverOf(['Qwen/a', 'Qwen/b', 'other'], { tokens_per_second: 40, answer_tokens: 40 })
    server.list = ['Qwen/a', 'other']
    const defaults = { owned_by: 'us', pricing: { input: 10, output: 20 }, backends: [{ api_key: 'secret' }] }
    const entry = { discover: { url: server.url, ...SECOND }, allow: ['Qwen/*'], defaults }
    const gateway = await gatewayOf([entry as never])
    const [card, ...others] = await cardsOf(gateway)
    expect(others).deep.equal([])
    expect(card).deep.include({ id: 'Qwen/a', owned_by: 'us', max_model_len: 4096 })
    expect(JSON.stringify(card)).contain('"tools":true')
    expect(server.chats.every(({ key }) => key === 'Bearer secret')).equal(true)
    expect(await statusOf(gateway, 'other')).equal(404)

    const streaming = await gateway.post('/v1/chat/completions', chat('Qwen/a', { stream: true }))
    server.list = ['Qwen/b']
    await eventually(async () => String(await idsOf(gateway)) === 'Qwen/b', 'the other model')
    expect(await statusOf(gateway, 'Qwen/a')).equal(404)
    expect(await statusOf(gateway, 'Qwen/b')).equal(200)
    const text = await streaming.text()
    expect(text).contain('"finish_reason":"stop"').and.contain('[DONE]')
    const { lists } = server
    const { length } = server.chats
    await eventually(() => server.lists > lists + 3)
    expect(server.chats.length, 'no further probe').equal(length)
  })

  it('can judge for the guard, whose gateway runs before and after the model is there', async () => {
    const server = await serverOf(['m', 'judge'])
    server.list = ['m']
    const plugins = { base: 'default', options: { guard: { model: 'judge', check: ['input'] } } }
    const gateway = await gatewayOf([{ discover: { url: server.url, ...SECOND } }], { plugins })
    const asked = () => server.chats.filter(({ model }) => model === 'judge').length
    expect(await statusOf(gateway, 'm')).equal(503)
    server.list = ['m', 'judge']
    await eventually(async () => String(await idsOf(gateway)) === 'judge,m', 'the judge')
    const before = asked()
    // The simulated model answers with a random verdict.
    expect([200, 400]).include(await statusOf(gateway, 'm'))
    expect(asked()).equal(before + 1)
    server.list = ['m', 'other']
    await eventually(async () => String(await idsOf(gateway)) === 'm,other', 'the judge has gone')
    expect(await statusOf(gateway, 'm')).equal(503)
  })

  it('stay while there is no answer, or a wrong one; an empty list is an answer', async () => {
    const server = await serverOf(['a'])
    const gateway = await gatewayOf([{ discover: { url: server.url, ...SECOND } }])
    expect(await idsOf(gateway)).deep.equal(['a'])
    const wrong: NonNullable<ModelServer['answer']>[] = [
      res => res.writeHead(503).end(),
      res => res.destroy(),
      res => void res.writeHead(200).end('<html>'),
      res => void res.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      res => sendList(res, [{ name: 'x' }]),
      res => void res.writeHead(401).end(),
    ]
    for (const answer of wrong) {
      const { lists } = server
      server.answer = answer
      await eventually(() => server.lists > lists + 2)
      expect(await idsOf(gateway), String(answer)).deep.equal(['a'])
      expect(gateway.gateway.notes().join()).match(/^model discovery: http.*: the last list is kept$/)
    }
    server.answer = undefined
    server.list = []
    await eventually(async () => (await idsOf(gateway)).length === 0, 'no models')
    expect(gateway.gateway.notes()).deep.equal([])
    expect(await statusOf(gateway, 'a')).equal(404)
  })

  it('may be none at the start, and ids of the file win', async () => {
    const server = await serverOf(['m', 'alias', 'found'])
    server.answer = res => res.writeHead(503).end()
    const discover = { url: server.url, ...SECOND }
    const alone = await gatewayOf([{ discover }])
    expect(await idsOf(alone)).deep.equal([])
    const refused = await alone.post('/v1/chat/completions', chat('found'))
    expect(refused.status).equal(404)
    expect(await refused.json()).nested.include({ 'error.code': 'model_not_found' })
    server.answer = undefined
    await eventually(async () => (await statusOf(alone, 'found')) === 200, 'the model')

    const own = { id: 'm', aliases: ['alias'], backends: [{ url: 'http://127.0.0.1:9/v1' }] }
    const mixed = await gatewayOf([{ discover }, own])
    expect(await idsOf(mixed)).deep.equal(['m', 'found'])
  })

  it('are found at all servers of a DNS name, which may fail', async () => {
    const dns = await opened(dnsServer())
    const [first, second] = [await serverOf(['a', 'b']), await serverOf(['b', 'c'])]
    const records = (...servers: ModelServer[]) =>
      servers.map(({ port }) => ({ type: 'SRV' as const, target: 'here.test', port }))
    dns.names.set('_http._tcp.vllm.test', records(first, second))
    dns.names.set('here.test', [{ type: 'A', address: '127.0.0.1', ttl: 0 }])
    const name = { name: '_http._tcp.vllm.test', type: 'SRV', servers: [dns.address] }
    const gateway = await gatewayOf([{ discover: { dns: name, ...SECOND } }])
    expect(await idsOf(gateway)).deep.equal(['a', 'b', 'c'])
    const backends = () => gateway.gateway.backends().map(({ model, backends }) => [model, backends.length])
    expect(backends()).deep.equal([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
    dns.names.set('_http._tcp.vllm.test', 'SERVFAIL')
    await eventually(() => gateway.gateway.notes().length === 1, 'the problem')
    expect(await idsOf(gateway)).deep.equal(['a', 'b', 'c'])
    dns.names.set('_http._tcp.vllm.test', records(second))
    await eventually(async () => String(await idsOf(gateway)) === 'b,c', 'one server less')
  })

  it('stay over a reload, also one with another key while the server does not answer', async () => {
    const server = await serverOf(['a', 'b'])
    const entry = (more: JsonObject = {}) => ({ discover: { url: server.url, ...SECOND }, ...more })
    const gateway = await gatewayOf([entry()])
    const reload = async (...models: JsonObject[]) => {
      const file = configFile(gateway.dir, { backends: [], more: { models: models as never } })
      const options = { baseDir: gateway.dir, env: {}, fileName: 'test.json' }
      await gateway.gateway.reload(parseConfig(JSON.stringify(file), options))
    }
    await reload(entry({ allow: ['b', 'c'], defaults: { owned_by: 'us' } }))
    expect((await cardsOf(gateway)).map(({ id, owned_by }) => [id, owned_by])).deep.equal([['b', 'us']])
    server.answer = res => res.writeHead(503).end()
    await reload(entry({ defaults: { backends: [{ api_key: 'new' }] } }))
    expect(await idsOf(gateway)).deep.equal(['a', 'b'])
    await reload({ id: 'm', backends: [{ url: server.url }] })
    expect(await idsOf(gateway)).deep.equal(['m'])
    const { lists } = server
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(server.lists, 'is not asked any more').lessThan(lists + 3)
  })

  it('are the baseline of stored models', async () => {
    const server = await serverOf(['Qwen/a', 'b'])
    const more = { admin: { host: '127.0.0.1', port: 0, api: true }, stored_models: true }
    const gateway = await gatewayOf([{ discover: { url: server.url, ...SECOND } }], more)
    const { secret } = await operatorKey(gateway)
    const ask = async (method: string, path: string, body?: JsonObject) => {
      const init = { method, headers: { authorization: `Bearer ${secret}` } }
      const url = `${gateway.gateway.adminUrl}/admin/v1/models${path}`
      const response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
      return (await response.json()) as JsonObject
    }
    const [listed] = (await ask('GET', '')).models as JsonObject[]
    expect(listed).deep.include({ id: 'Qwen/a', source: 'discovered', in_file: false, state: 'used' })
    expect(listed!.discovered).deep.include({
      by: server.url,
      urls: [server.url],
      engine: 'vllm',
      max_model_len: 4096,
      probed: true,
    })
    expect(await ask('DELETE', '/b')).include({ state: 'hidden' })
    expect(await idsOf(gateway)).deep.equal(['Qwen/a'])
    expect(await ask('PATCH', '/Qwen%2Fa', { aliases: ['q'] })).include({ source: 'store', state: 'used' })
    expect(await statusOf(gateway, 'q')).equal(200)
    server.list = []
    await eventually(async () => !JSON.stringify(await ask('GET', '')).includes('"b"'), 'the list')
    expect(await idsOf(gateway), 'the stored model stays').deep.equal(['Qwen/a'])
    server.list = ['Qwen/a', 'b']
    await eventually(async () => JSON.stringify(await ask('GET', '')).includes('"hidden"'), 'the hidden model')
    expect(await idsOf(gateway)).deep.equal(['Qwen/a'])
    expect(await ask('PATCH', '/b', { hidden: false })).include({ source: 'discovered', state: 'used' })
    expect(await ask('DELETE', '/Qwen%2Fa')).include({ source: 'discovered', state: 'used' })
    expect(await idsOf(gateway)).deep.equal(['Qwen/a', 'b'])
  })

  it('are the same in all workers, which one process discovers', async () => {
    const server = await serverOf(['a', 'b', 'm'])
    server.list = ['a']
    const dir = directory()
    const file = join(dir, 'config.json')
    const write = (...models: JsonObject[]) =>
      writeFileSync(
        file,
        JSON.stringify(
          configFile(dir, { backends: [], more: { workers: 2, limits_store: redis(), models: models as never } }),
        ),
      )
    write({ discover: { url: server.url, ...SECOND } })
    const checked = await runCli(['check', '--config', file])
    expect(checked.err).equal('')
    expect(checked.out).contain('0 models on 0 backends')
    const live = await runCli(['check', '--config', file, '--live'])
    expect(live.out).contain(`ok   models of ${server.url}: 1 of 1 served: a`)
    const serving = new Cli(['serve', '--config', file])
    try {
      const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
      const [, admin] = await serving.match(/Admin +(\S+) /)
      const headers = { authorization: `Bearer ${KEY}`, connection: 'close' }
      /** The lists of 20 requests, each on a connection of its own. */
      const lists = async () => {
        const all = Array.from({ length: 20 }, async () => {
          const { data } = (await (await fetch(`${url}/v1/models`, { headers })).json()) as { data: JsonObject[] }
          return data.map(({ id }) => id).join(' ')
        })
        return [...new Set(await Promise.all(all))]
      }
      expect(await lists()).deep.equal(['a'])
      server.list = ['a', 'b']
      await eventually(async () => String(await lists()) === 'a b', 'the new model')
      const asked = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(chat('b')),
      })
      expect(asked.status).equal(200)
      const { backends } = (await (await fetch(`${admin}/backends`)).json()) as { backends: JsonObject[] }
      expect(backends.map(({ model }) => model)).deep.equal(['a', 'b'])
      write({ discover: { url: server.url, ...SECOND } }, { id: 'm', backends: [{ url: server.url }] })
      await eventually(async () => String(await lists()) === 'm a b', 'the model of the file')
      server.answer = res => res.writeHead(503).end()
      await eventually(
        async () => (await (await fetch(`${admin}/readyz`)).text()).includes('model discovery'),
        'the note',
      )
      expect(await lists()).deep.equal(['m a b'])
    } finally {
      serving.child.kill('SIGTERM')
      await serving.ended
    }
  })
})
