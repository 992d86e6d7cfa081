import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { FAILURES, FIXTURES, failing, isTextOnly, sending } from '../support/fixtures/index.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { SURFACES, type Surface } from '../support/replies/index.ts'
import { QUESTIONS } from '../support/replies/questions.ts'

/** The members of a record that describe the reply, all from the canonical stream. */
const TOLD = [
  'status_code',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'finish_reason',
  'matched_stop_token_id',
  'stall_count',
  'usage_present',
  'usage_parse_error',
  'stream_error_status_code',
  'stream_error_type',
  'error_code',
] as const

describe('one record on every surface', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  /** Finds a record by its request id. */
  const asked = new Map<string, { readonly name: string; readonly surface: Surface; readonly stream: boolean }>()

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url] })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  async function ask(name: string, surfaces: readonly Surface[], streams = [true, false]): Promise<void> {
    for (const stream of streams) {
      for (const surface of surfaces) {
        const { path, body } = QUESTIONS[surface]
        const response = await gateway.post(path, { ...body, stream })
        await response.text()
        asked.set(String(response.headers.get('x-request-id')).slice('req_'.length), { name, surface, stream })
      }
    }
  }

  it('whatever the reply, and however it fails', async () => {
    for (const fixture of FIXTURES) {
      backend.script = sending(fixture)
      await ask(fixture.name, isTextOnly(fixture) ? SURFACES : SURFACES.slice(0, 3))
    }
    for (const failure of FAILURES) {
      for (const stream of [true, false]) {
        backend.script = failing(failure)
        await ask(failure.name, SURFACES, [stream])
        // A fifth failure in a row would eject the only backend.
        backend.script = reply()
        await ask('a good reply', ['chat'], [stream])
      }
    }
    backend.script = status(400, { error: { message: 'top_k must be at least 1', code: 400 } })
    await ask('a refused parameter', SURFACES)

    await gateway.gateway.drain()
    const rows = new DatabaseSync(join(gateway.dir, 'store.db')).prepare('select * from requests').all()
    expect(rows).length(asked.size)
    const told = new Map<string, JsonObject>()
    for (const row of rows) {
      const { name, surface, stream } = asked.get(String(row.id).slice(-12))!
      expect(row.path).equal(QUESTIONS[surface].path)
      expect(row).include({ is_streaming: Number(stream), model_requested: 'm', model_resolved: 'm' })
      const record = Object.fromEntries(TOLD.map(member => [member, row[member]])) as JsonObject
      if (!row.usage_present && record.input_tokens !== null) {
        // Without usage: the estimate of a chat includes the tokens of its template.
        expect(record.input_tokens).above(0)
        record.input_tokens = 'estimated'
      }
      const key = `${name}, ${stream ? 'streamed' : 'whole'}`
      const first = told.get(key) ?? record
      told.set(key, first)
      expect(record, `${key}, ${surface}`).deep.equal(first)
    }
  })
})
