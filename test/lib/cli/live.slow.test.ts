import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { configFile } from '../../support/gateway.ts'
import { CLIENT_SECRET, oidcFile, startIssuer } from '../../support/issuer.ts'
import { usePostgres, useRedis } from '../../support/services.ts'
import { closeStubs, stubServer } from '../../support/stub.ts'

describe('sluiceway check --live', () => {
  const directory = temporaryDirectory()
  const redis = useRedis()
  const postgres = usePostgres()
  afterEach(closeStubs)

  async function check(backend: string, more: object) {
    const file = join(directory(), 'config.json')
    const backends = [{ url: backend, model: 'upstream-m', engine: 'vllm' }]
    writeFileSync(file, JSON.stringify({ ...configFile(directory(), { backends: [], model: { backends } }), ...more }))
    return runCli(['check', '--config', file, '--live'])
  }

  it('has a line for the store, Redis and each backend', async () => {
    const base = await stubServer({
      'GET /v1/models': { body: { data: [{ id: 'upstream-m', owned_by: 'vllm' }] } },
      'GET /version': { body: { version: '0.11.0' } },
    })
    const { code, out, err } = await check(`${base}/v1`, { store: postgres(), limits_store: redis() })
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    expect(out)
      .match(/^ok {3}store postgres.*: PostgreSQL \d+/m)
      .and.match(/^ok {3}limits_store .*: Redis \d+/m)
      .and.match(/^ok {3}backend http.*\/v1 of model 'm': serves 'upstream-m', vllm 0\.11\.0, clock right$/m)
  })

  it('fails if a backend runs another engine or has a smaller window than the file says', async () => {
    const card = { id: 'upstream-m', owned_by: 'sglang', max_model_len: 1024 }
    const base = await stubServer({ 'GET /v1/models': { body: { data: [card] } } })
    const file = join(directory(), 'config.json')
    const backends = [{ url: `${base}/v1`, model: 'upstream-m', engine: 'vllm' }]
    const model = { backends, max_model_len: 4096 }
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [], model })))
    const { code, out } = await runCli(['check', '--config', file, '--live'])
    expect(code).equal(1)
    expect(out).contain(
      "of model 'm': runs sglang, but its `engine` is vllm; it has a window of 1024 tokens, but `max_model_len` is 4096\n",
    )
  })

  it('reads the discovery document of each issuer', async () => {
    const issuer = await startIssuer()
    const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'upstream-m', owned_by: 'vllm' }] } } })
    const more = { console: { oidc: oidcFile(issuer) } }
    const good = await check(`${base}/v1`, more)
    issuer.next = { metadata: { code_challenge_methods_supported: ['plain'] } }
    const weak = await check(`${base}/v1`, more)
    await issuer.close()
    const down = await check(`${base}/v1`, more)
    expect(good.out).contain(`ok   console.oidc ${issuer.url}: discovery document read, PKCE supported`)
    expect([weak.code, weak.out.match(/^bad .*oidc.*/m)?.[0]]).deep.equal([
      1,
      `bad  console.oidc ${issuer.url}: it does not support PKCE with S256`,
    ])
    expect(down.out).match(/^bad {2}console\.oidc .*: it cannot be reached \(ECONNREFUSED\)$/m)
    expect(down.out + down.err).not.contain(CLIENT_SECRET)
  })

  it('looks for backends that are discovered, and asks each; without it, it looks nowhere', async () => {
    const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'upstream-m', owned_by: 'vllm' }] } } })
    const { host } = new URL(base)
    const file = join(directory(), 'config.json')
    const entry = { discover: 'file', path: 'targets.yaml', model: 'upstream-m', engine: 'vllm' }
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [], model: { backends: [entry] } })))
    const offline = await runCli(['check', '--config', file])
    expect(offline.code, offline.err).equal(0)
    expect(offline.out).contain('1 model on 0 backends and those of 1 discovery')
    const missing = await runCli(['check', '--config', file, '--live'])
    expect(missing.code).equal(1)
    expect(missing.out).match(/^bad {2}discovery file .*targets\.yaml of model 'm': there is no such file$/m)
    writeFileSync(join(directory(), 'targets.yaml'), `- targets: ['${host}', '127.0.0.1:1']`)
    const { code, out, err } = await runCli(['check', '--config', file, '--live'])
    expect(code).equal(1)
    expect(err).match(/1 of 4 checks failed/)
    expect(out)
      .match(/^ok {3}discovery file .* of model 'm': 2 backends$/m)
      .and.match(/^bad {2}backend http:\/\/127\.0\.0\.1:1\/v1 of model 'm': cannot be asked/m)
      .and.contain(`ok   backend http://${host}/v1 of model 'm': serves 'upstream-m', vllm`)
  })

  it('asks the servers of entries that discover models', async () => {
    const cards = ['Qwen/a', 'Qwen/b', 'other'].map(id => ({ id, owned_by: 'vllm' }))
    const base = await stubServer({ 'GET /v1/models': { body: { data: cards } } })
    const file = join(directory(), 'config.json')
    const models = [
      { discover: { url: `${base}/v1` }, allow: ['Qwen/*'] },
      { discover: { url: `${base}/v1` }, allow: ['nothing'] },
      { discover: { dns: { name: 'localhost', port: Number(new URL(base).port) } } },
      { discover: { dns: { name: 'nowhere.invalid.', port: 1 } } },
      { discover: { url: 'http://127.0.0.1:1/v1' } },
    ]
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [], more: { models: models as never } })))
    const offline = await runCli(['check', '--config', file])
    expect(offline.out).contain('0 models on 0 backends, models of 5 entries with discover, 0 dedicated endpoints')
    const { code, out } = await runCli(['check', '--config', file, '--live'])
    expect(code).equal(1)
    const lines = out.split('\n').filter(line => line.includes('models of'))
    expect(lines.slice(1, 4)).deep.equal([
      `ok   models of ${base}/v1: 2 of 3 served: Qwen/a, Qwen/b`,
      `bad  models of ${base}/v1: none of its models is allowed: Qwen/a, Qwen/b, other`,
      `ok   models of ${base}/v1: 3 of 3 served: Qwen/a, Qwen/b, other`,
    ])
    expect(lines[4]).match(/^bad {2}models of dns A nowhere\.invalid\.: the (name|DNS server) /)
    expect(lines[5]).match(/^bad {2}models of http:\/\/127\.0\.0\.1:1\/v1: Nothing listens/)
  })

  it('names the reason of Redis', async () => {
    const wrong = new URL(redis())
    wrong.username = 'nobody'
    wrong.password = 'hidden'
    const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'upstream-m', owned_by: 'vllm' }] } } })
    const { out } = await check(`${base}/v1`, { limits_store: wrong.href })
    expect(out)
      .match(/^bad {2}limits_store .*: WRONGPASS /m)
      .and.not.contain('hidden')
    const other = new URL(redis())
    other.pathname = '/999'
    expect((await check(`${base}/v1`, { limits_store: other.href })).out).match(
      /^bad {2}limits_store .*: ERR DB index is out of range/m,
    )
  })

  it('has one line for a store whose file cannot be created', async () => {
    const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'upstream-m', owned_by: 'vllm' }] } } })
    const { code, out } = await check(`${base}/v1`, { store: 'sqlite:/proc/sluiceway.db' })
    expect(code).equal(1)
    expect(out.match(/^.*\bstore .*$/gm)).lengthOf(1)
    expect(out).match(/^bad {2}store \/proc: /m)
  })

  it('fails, and names each that is bad', async () => {
    const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'Qwen/Qwen3-32B' }] } } })
    const stores = { store: 'postgres://u:hidden@127.0.0.1:1/db', limits_store: 'redis://:hidden@127.0.0.1:1' }
    const { code, out, err } = await check(`${base}/v1`, stores)
    expect(code).equal(1)
    expect(err).match(/3 of 3 checks failed/)
    expect(out)
      .match(/^bad {2}store postgres:\/\/127\.0\.0\.1:1\/db: .*ECONNREFUSED/m)
      .and.match(/^bad {2}limits_store 127\.0\.0\.1:1: /m)
      .and.match(/^bad {2}backend .*: does not serve 'upstream-m'; it serves Qwen\/Qwen3-32B$/m)
      .and.not.contain('hidden')
  })
})
