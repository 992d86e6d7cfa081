import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import type { JsonObject } from '../../../lib/base/json.ts'
import { UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/requests.ts'
import type { RequestRecord } from '../../../lib/store/record.ts'
import { openStore } from '../../../lib/store/store.ts'
import { type ScriptedBackend, scriptedBackend, status } from '../../support/backend.ts'
import { runCli } from '../../support/cli.ts'
import { configFile, eventually, type TestGateway, testGateway } from '../../support/gateway.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'

const PROMPT = 'Margarete has leukaemia'

describe('sluiceway requests', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let file = ''

  before(async () => {
    backend = await scriptedBackend()
    const model = { backends: [{ url: backend.url, model: 'upstream-m', zdr: true }] }
    gateway = await testGateway({ backends: [], model })
    file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, { backends: [], model })))
  })
  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  /** The id that the client was shown. */
  async function send(headers: Record<string, string> = {}): Promise<string> {
    const body = { model: 'm', messages: [{ role: 'user', content: PROMPT }] }
    const response = await gateway.post('/v1/chat/completions', body, { headers })
    await response.text()
    return response.headers.get('x-request-id')!
  }

  const requests = (...argv: string[]) => runCli(['requests', '--config', file, ...argv])

  async function found(id: string): Promise<JsonObject> {
    let out = ''
    await eventually(async () => {
      const ended = await requests('--id', id, '--json')
      out = ended.out
      return ended.code === 0
    }, `the record of ${id}`)
    return JSON.parse(out) as JsonObject
  }

  it('shows why a request failed, from any id that its client was shown', async () => {
    const message = `The model \`upstream-m\` does not exist. Prompt: ${PROMPT}`
    backend.script = status(404, { error: { message, type: 'NotFoundError', code: 404 } })
    const id = await send()
    const record = await found(id)
    expect(record).include({
      request_id: id,
      status_code: 502,
      backend: backend.url,
      attempts: 1,
      upstream_status: 404,
      upstream_error: 'status 404: The model `upstream-m` does not exist. Prompt …',
    })
    expect(record.queue_ms).a('number')
    expect(record.first_byte_ms).a('number')
    expect(await found(id.slice('req_'.length))).deep.equal(record)
    expect(await found(String(record.id))).deep.equal(record)

    const chosen = await send({ 'x-request-id': 'mine-1' })
    expect(chosen).equal('client_mine-1')
    expect(await found(chosen)).include({ request_id: chosen, upstream_status: 404 })

    const { out } = await requests('--id', id)
    expect(out)
      .match(/^Request +req_/)
      .and.match(/Upstream error +status 404: The model/)
      .and.match(/Waited +\d+ ms/)
    const table = await requests('--errors', '--account', 'test', '--model', 'm', '--backend', backend.url)
    expect(table.out)
      .match(/^TIME +REQUEST +STATUS/)
      .and.match(new RegExp(`${id} +502 +m .*backend_http_error: status 404`))
    for (const text of [out, table.out, JSON.stringify(gateway.records())])
      expect(text).not.match(/Margarete|leukaemia/)
  })

  it('finds the lines of a batch, of any age', async () => {
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
    const created_at = (Date.now() - 3 * 86_400_000) * 1000
    const line = makeRecord({ created_at, surface: 'batch', endpoint: null, batch_id: 'batch_1', batch_line: 7 })
    await insertRecords(store, [line])
    await store.close()
    const { requests: found } = JSON.parse((await requests('--batch', 'batch_1', '--json')).out)
    expect(found).length(1)
    expect(found[0]).include({ id: line.id, batch_id: 'batch_1', batch_line: 7 })
    expect(JSON.parse((await requests('--batch', 'batch_1', '--since', '24h', '--json')).out)).deep.equal({
      requests: [],
    })
    expect((await requests('--id', line.id)).out).match(/^Batch +batch_1, line 7$/m)
  })

  it('filters by key, user, tag, status and share of cached input', async () => {
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
    const made = (secondsAgo: number, fields: Partial<RequestRecord>) =>
      makeRecord({
        ...{ created_at: (Date.now() - secondsAgo * 1000) * 1000, key_id: 'k9', user_id: 'eve@acme.test' },
        ...{ cache_read_tokens: null, ...fields },
      })
    const hit = made(3, { cache_read_tokens: 900, request_tags: ['a'] })
    const missed = made(2, { cache_read_tokens: 0, request_tags: ['b', 'c'], key_id: 'k8' })
    const refused = made(1, { status_code: 429, dispatched: false })
    await insertRecords(store, [hit, missed, refused])
    await store.close()
    const ids = async (...argv: string[]) =>
      JSON.parse((await requests('--user', 'eve@acme.test', '--json', ...argv)).out).requests.map(
        ({ id }: JsonObject) => id,
      )
    expect(await ids()).deep.equal([refused.id, missed.id, hit.id])
    expect(await ids('--key', 'k9')).deep.equal([refused.id, hit.id])
    expect(await ids('--tag', 'a', '--tag', 'c')).deep.equal([missed.id, hit.id])
    expect(await ids('--status', '429')).deep.equal([refused.id])
    expect(await ids('--status', '4xx')).deep.equal([refused.id])
    expect(await ids('--status', '5xx')).deep.equal([])
    expect(await ids('--cache', '10')).deep.equal([missed.id])
    expect((await requests('--status', 'many')).err).match(/--status must be a number of three digits, 4xx or 5xx/)
    expect((await requests('--cache', '101')).err).match(/--cache must be a number from 0 to 100/)
  })

  it('shows nothing but the kind of a failure under zero data retention', async () => {
    backend.script = status(500, { error: { message: 'The model failed to load.' } })
    const record = await found(await send({ 'service-zdr': 'required' }))
    expect(record).include({ zdr: true, upstream_status: 500, upstream_error: 'status 500' })
  })

  it('says what is missing, or what it does not understand', async () => {
    const { code, err } = await requests('--id', 'req_000000000000')
    expect(code).equal(1)
    expect(err).match(/there is no request 'req_000000000000' in the store\. Records are kept for \d+ days/)
    const fails = (...argv: string[]) => run(['--config', file, ...argv]).catch(thrown => thrown)
    expect(await fails('--id', 'x', '--errors')).instanceOf(UsageError)
    expect(await fails('--since', 'yesterday')).instanceOf(UsageError)
    expect((await fails('--csv', '--json')).message).equal('--csv and --json exclude each other')
    expect(await fails('--limit', '0')).instanceOf(UsageError)
    expect((await fails('--account', 'nobody')).message).match(/^there is no account 'nobody'/)
  })
})
