import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { Cli, runCli, temporaryDirectory } from '../support/cli.ts'
import { configFile, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { operatorKey } from '../support/operators.ts'
import { useRedis } from '../support/services.ts'

const ID = 'Qwen/Qwen3-8B'
const PATH = `/admin/v1/models/${encodeURIComponent(ID)}`
const more = { admin: { host: '127.0.0.1', port: 0, api: true }, stored_models: true }

/** Requests to the operators' API; each returns the status and the body. */
function operatorOf(admin: () => string, key: () => string) {
  return async (method: string, path: string, body?: JsonObject) => {
    const init = { method, headers: { authorization: `Bearer ${key()}` } }
    const response = await fetch(admin() + path, body === undefined ? init : { ...init, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as JsonObject }
  }
}

describe('models that operators store', () => {
  const redis = useRedis()
  const directory = temporaryDirectory()
  let backend: ScriptedBackend
  let one: TestGateway
  let other: TestGateway
  let key = ''
  const ask = operatorOf(
    () => one.gateway.adminUrl!,
    () => key,
  )
  before(async () => {
    backend = await scriptedBackend(reply())
    one = await testGateway({ backends: [backend.url], more })
    other = await testGateway({
      backends: [backend.url],
      more: { ...more, store: `sqlite:${join(one.dir, 'store.db')}` },
    })
    key = (await operatorKey(one)).secret
  })
  after(async () => {
    await other?.close()
    await one?.close()
    await backend?.close()
  })

  const entry = () => ({ id: ID, backends: [{ url: backend.url, model: 'upstream-m', engine: 'vllm' }] })
  const chat = async (gateway: TestGateway, model = ID) => {
    const response = await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
    await response.arrayBuffer()
    return response.status
  }
  const everywhere = async (status: number, model = ID) => {
    expect(await chat(one, model), 'at once').equal(status)
    await eventually(async () => (await chat(other, model)) === status, 'elsewhere')
  }

  it('are served by every process, until they are deleted', async () => {
    expect(await chat(one)).equal(404)
    expect((await ask('POST', '/admin/v1/models', entry())).status).equal(201)
    await everywhere(200)
    const list = (await (await other.get('/v1/models')).json()) as { data: JsonObject[] }
    expect(list.data.map(({ id }) => id)).deep.equal(['m', ID])
    expect((await ask('PATCH', PATH, { aliases: ['q3'] })).status).equal(200)
    await everywhere(200, 'q3')
    expect((await ask('POST', '/admin/v1/models', { id: 'x', backends: [] })).status).equal(422)
    expect((await ask('DELETE', PATH)).body).include({ state: 'removed' })
    await everywhere(404)
  })

  it('stay over the file after a reload, also one that refers to them', async () => {
    await ask('POST', '/admin/v1/models', entry())
    expect((await ask('DELETE', '/admin/v1/models/m')).status).equal(200)
    await everywhere(404, 'm')
    const reload = async (others: JsonObject) => {
      const file = configFile(one.dir, { backends: [backend.url], more: { ...more, ...others } })
      await one.gateway.reload(parseConfig(JSON.stringify(file), { baseDir: one.dir, env: {}, fileName: 'test.json' }))
    }
    await reload({})
    expect([await chat(one), await chat(one, 'm')]).deep.equal([200, 404])
    expect(one.gateway.notes()).deep.equal([])
    await reload({ endpoints: [{ host: 'acme.test', models: ['m'] }] })
    expect([await chat(one), await chat(one, 'm')]).deep.equal([200, 200])
    expect(one.gateway.notes()).deep.equal([
      "the stored model 'm' is not used: endpoints.0.models.0: there is no model 'm'",
    ])
    expect((await ask('GET', '/admin/v1/models/m')).body).include({ state: 'unused' })
    await reload({})
    expect(await chat(one, 'm')).equal(404)
    await ask('PATCH', '/admin/v1/models/m', { hidden: false })
    await everywhere(200, 'm')
    await ask('DELETE', PATH)
  })

  it('are served by all workers, and by processes that start later', async () => {
    const dir = directory()
    const file = join(dir, 'config.json')
    const config = configFile(dir, { backends: [backend.url], more: { ...more, workers: 2, limits_store: redis() } })
    writeFileSync(file, JSON.stringify(config))
    const { out } = await runCli(['keys', 'create', '--config', file, '--operator', 'alice'])
    const serve = async (work: (served: () => Promise<number>, admin: string) => Promise<void>) => {
      const serving = new Cli(['serve', '--config', file])
      try {
        const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
        const [, admin] = await serving.match(/Admin +(\S+) /)
        /** Successes among 20 requests, each on a connection of its own. */
        const served = async () => {
          const body = JSON.stringify({ model: ID, messages: [{ role: 'user', content: 'Hi' }] })
          const headers = { authorization: `Bearer ${KEY}`, connection: 'close' }
          const requests = Array.from({ length: 20 }, async () => {
            const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
            await response.arrayBuffer()
            return response.status
          })
          return (await Promise.all(requests)).filter(status => status === 200).length
        }
        await work(served, admin!)
      } finally {
        serving.child.kill('SIGTERM')
        await serving.ended
      }
    }
    await serve(async (served, admin) => {
      const askNow = operatorOf(
        () => admin,
        () => out.trim(),
      )
      expect((await askNow('POST', '/admin/v1/models', entry())).status).equal(201)
      await eventually(async () => (await served()) === 20)
      const { backends } = (await askNow('GET', '/admin/v1/backends')).body
      expect((backends as JsonObject[]).map(({ model }) => model)).include(ID)
    })
    await serve(async served => void expect(await served()).equal(20))
  })
})
