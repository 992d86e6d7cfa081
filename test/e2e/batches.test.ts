/** Batches through the API, from the upload to the results. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { JsonObject } from '../../lib/base/json.ts'
import { pauseModel, resumeModel } from '../../lib/store/batches.ts'
import { openStore } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { batchLine, CHAT, createBatch, findBatch, resultLines, uploadFile } from '../support/batch-client.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'

/** Between two requests for a state, because requests are limited. */
const PAUSE_MS = 200

describe('batches', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  beforeEach(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url], more: { batches: {} } })
  })
  afterEach(async () => {
    await gateway.close()
    await backend.close()
  })

  const create = (...lines: string[]) => createBatch(gateway.url, lines)
  const find = (id: string) => findBatch(gateway.url, id)
  const linesOf = (file: string | null) => resultLines(gateway.url, file)

  async function ended(id: string) {
    let batch = await find(id)
    await eventually(async () => {
      await sleep(PAUSE_MS)
      batch = await find(id)
      return ['completed', 'failed', 'cancelled', 'expired'].includes(batch.status)
    }, 'an end')
    return batch
  }

  it('are cancelled when their input file is removed', async () => {
    backend.script = () => {}
    const input = await uploadFile(gateway.url, `${batchLine('a')}\n${batchLine('b')}`)
    const id = await createBatch(gateway.url, input)
    await eventually(() => backend.requests.length > 0, 'a line at the backend')
    const removed = await fetch(`${gateway.url}/v1/files/${input}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(removed.status).equal(200)
    const batch = await ended(id)
    expect(batch).deep.include({ status: 'cancelled', output_file_id: null })
    const errors = await linesOf(batch.error_file_id)
    expect(errors!.map(({ custom_id, response, error }) => [custom_id, response, error!.code])).deep.equal([
      [null, null, 'batch_cancelled'],
      [null, null, 'batch_cancelled'],
    ])
  })

  it('have each line in a file, also when they are cancelled during the validation', async () => {
    backend.script = () => {}
    const ids = Array.from({ length: 5000 }, (_, i) => `r${i}`)
    const id = await create(...ids.map(one => batchLine(one)))
    await gateway.post(`/v1/batches/${id}/cancel`, {})
    const batch = await ended(id)
    expect(batch).deep.include({ status: 'cancelled', request_counts: { total: 5000, completed: 0, failed: 0 } })
    const named = (await linesOf(batch.error_file_id))!.map(({ custom_id }) => custom_id)
    expect(named.toSorted()).deep.equal(ids.toSorted())
  })

  it('send no line of a paused model, not even one that waits for capacity', async () => {
    await gateway.close()
    gateway = await testGateway({ backends: [backend.url], more: { batches: { growth: 0 } } })
    const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
    try {
      // The model is not offline: lines are claimed, and wait.
      const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
      await (await gateway.post(CHAT, chat)).text()
      const id = await create(batchLine('a'), batchLine('b'))
      await eventually(
        async () => (await gateway.metric('sluiceway_batch_in_flight{model="m"}')) === 2,
        'lines that wait',
      )
      await pauseModel(store, 'm', Date.now())
      await eventually(async () => (await gateway.metric('sluiceway_batch_in_flight{model="m"}')) !== 2, 'the pause')
      await sleep(12_000)
      expect(backend.requests.length, 'the chat alone').equal(1)
      await resumeModel(store, 'm')
      expect(await ended(id)).include({ status: 'completed' })
    } finally {
      await store.close()
    }
  })

  it('run each line once, and publish what it has answered', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `r${i}`)
    const id = await create(...ids.map(one => batchLine(one)))
    const batch = await ended(id)
    expect(batch).deep.include({ status: 'completed', request_counts: { total: 40, completed: 40, failed: 0 } })
    expect(batch).include({ model: 'm', error_file_id: null })
    const output = await linesOf(batch.output_file_id)
    expect(output!.map(({ custom_id }) => custom_id).toSorted()).deep.equal(ids.toSorted())
    expect(output![0]!.response).include({ status_code: 200 })
    expect(output![0]!.response!.body).nested.property('choices[0].message.content').a('string')
    expect(backend.requests).length(40)
    await eventually(() => gateway.records().filter(record => record.surface === 'batch').length === 40, 'records')
    const lines = gateway.records().filter(({ surface }) => surface === 'batch')
    for (const { attempt_list: list } of lines) expect(JSON.stringify(list)).contain('spare')
  })

  it('fail as a whole before a line has run', async () => {
    const batch = await ended(
      await create(batchLine('a'), batchLine('b', { temperature: 9 }), batchLine('c', { model: 'x' })),
    )
    expect(batch.status).equal('failed')
    expect(batch.errors.data.map(({ code, line, param }: JsonObject) => [code, line, param])).deep.equal([
      ['schema_validation_failed', 2, 'body.temperature'],
      ['model_not_found', 3, 'body.model'],
    ])
    expect(backend.requests).length(0)
  })

  it('put lines that fail for good into the error file, and repeat the others', async () => {
    let failures = 2
    backend.script = (res, request, req) => {
      const content = JSON.stringify(request.body)
      if (content.includes('"bad"')) return status(400, { error: { message: 'No.' } })(res, request, req)
      if (failures-- > 0) return void res.writeHead(503).end()
      return reply()(res, request, req)
    }
    const batch = await ended(await create(batchLine('good'), batchLine('bad')))
    expect(batch.status).equal('completed')
    expect(batch.request_counts).deep.equal({ total: 2, completed: 1, failed: 1 })
    const [error] = (await linesOf(batch.error_file_id))!
    expect(error).include({ custom_id: 'bad', error: null })
    expect(error!.response!.status_code).equal(400)
    expect(error!.response!.body).nested.property('error.code').a('string')
  })

  it('stop when they are cancelled, and name each line that has not run', async () => {
    backend.script = () => {}
    const id = await create(batchLine('a'), batchLine('b'))
    await eventually(() => backend.requests.length > 0, 'a line in flight')
    await gateway.post(`/v1/batches/${id}/cancel`, {})
    const batch = await ended(id)
    expect(batch).include({ status: 'cancelled', output_file_id: null })
    const errors = await linesOf(batch.error_file_id)
    expect(errors!.map(({ custom_id, response, error }) => [custom_id, response, error!.code])).deep.equal([
      ['a', null, 'batch_cancelled'],
      ['b', null, 'batch_cancelled'],
    ])
    await eventually(() => backend.aborted.length === backend.requests.length, 'the abort')
    const cancelled = () => gateway.metric('sluiceway_batch_requests_total', 'model="m",outcome="cancelled"')
    await eventually(async () => (await cancelled()) === 2, 'the metric')
  })

  it("have results in Anthropic's shapes", async () => {
    const request = (custom_id: string, params: JsonObject = {}) => ({
      custom_id,
      params: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], ...params },
    })
    const streamed = await gateway.post('/v1/messages/batches', {
      requests: [request('a'), request('b', { stream: true })],
    })
    const { error } = (await streamed.json()) as { error: JsonObject }
    expect([streamed.status, error.code, error.param]).deep.equal([
      422,
      'schema_validation_failed',
      'requests.1.params.stream',
    ])
    const made = await gateway.post('/v1/messages/batches', { requests: [request('a'), request('b', { model: 'x' })] })
    const { id, request_counts } = (await made.json()) as { id: string; request_counts: JsonObject }
    expect(request_counts.processing).equal(2)
    await eventually(async () => {
      const response = await gateway.get(`/v1/messages/batches/${id}`)
      await sleep(PAUSE_MS)
      return ((await response.json()) as { processing_status: string }).processing_status === 'ended'
    }, 'an end')
    const text = await (await gateway.get(`/v1/messages/batches/${id}/results`)).text()
    const results = text
      .trimEnd()
      .split('\n')
      .map(one => JSON.parse(one))
    expect(results.map(({ custom_id, result }) => [custom_id, result.type]).toSorted()).deep.equal([
      ['a', 'succeeded'],
      ['b', 'errored'],
    ])
  })
})
