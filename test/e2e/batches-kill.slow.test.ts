/** Batches whose processes are killed: no line is lost, and none counts twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openStore } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { ACCOUNT, eventually, KEY } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const LINES = 400
const KILLS = 20
const authorization = `Bearer ${KEY}`
const ids = Array.from({ length: LINES }, (_, i) => `r${i}`)
const text = ids
  .map(custom_id => {
    const body = { model: 'm', messages: [{ role: 'user', content: custom_id }] }
    return JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body })
  })
  .join('\n')

async function create(url: string): Promise<string> {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new Blob([text]), 'in.jsonl')
  const file = (await (
    await fetch(`${url}/v1/files`, { method: 'POST', headers: { authorization }, body: form })
  ).json()) as { id: string }
  const body = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' }
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } }
  const made = await fetch(`${url}/v1/batches`, { ...init, body: JSON.stringify(body) })
  return ((await made.json()) as { id: string }).id
}

describe('batches whose processes are killed', function () {
  this.timeout(300_000)
  let dir = ''
  let backend: ScriptedBackend
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'batches-'))
    backend = await scriptedBackend(async (...request) => {
      await sleep(20 + Math.random() * 150)
      return reply()(...request)
    })
  })
  afterEach(async () => {
    rmSync(dir, { recursive: true, force: true })
    await backend.close()
  })

  function suite(storeUrl: () => string, names: readonly string[]): void {
    it(`has each line once after ${KILLS} kills of ${names.length} process(es)`, async () => {
      const start = (name: string) =>
        startProcess(dir, name, {
          backends: [backend.url],
          model: { pricing: { input: 100, output: 100 } },
          account: { credits_cents: 1_000_000 },
          more: { batches: {}, store: storeUrl(), files: { path: join(dir, 'files') } },
        })
      let processes: GatewayProcess[] = await Promise.all(names.map(start))
      const id = await create(processes[0]!.url)
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(100 + Math.random() * 900)
        const at = kill % names.length
        await processes[at]!.kill()
        processes = processes.with(at, await start(names[at]!))
      }
      const get = async (path: string) => fetch(`${processes[0]!.url}${path}`, { headers: { authorization } })
      let batch: { status: string; request_counts: object; output_file_id: string } | undefined
      await eventually(
        async () => {
          await sleep(500)
          batch = (await (await get(`/v1/batches/${id}`)).json()) as typeof batch
          return batch?.status === 'completed'
        },
        'the end',
        120_000,
      )
      expect(batch!.request_counts).deep.equal({ total: LINES, completed: LINES, failed: 0 })
      const output = (await (await get(`/v1/files/${batch!.output_file_id}/content`)).text()).trimEnd().split('\n')
      expect(output.map(one => JSON.parse(one).custom_id).toSorted()).deep.equal(ids.toSorted())
      const requestIds = output.map(one => JSON.parse(one).response.request_id as string).toSorted()
      await Promise.all(processes.map(process => process.stop()))
      const store = await openStore(storeUrl(), { log: silent })
      try {
        const records = await store.db.selectFrom('requests').selectAll().where('surface', '=', 'batch').execute()
        expect(records.map(record => `req_${record.id.slice(-12)}`).toSorted()).deep.equal(requestIds)
        const charged = records.reduce((sum, record) => sum + (record.cost_microcents ?? 0), 0)
        const { rows } = await sql<{ sum: number }>`
          select -sum(amount_microcents) as sum from credits_ledger where account_id = ${ACCOUNT} and kind = 'charge'`.execute(
          store.db,
        )
        expect(Number(rows[0]!.sum)).equal(charged)
        expect(charged).greaterThan(0)
      } finally {
        await store.close()
      }
    })
  }

  describe('SQLite', () => suite(() => `sqlite:${join(dir, 'store.db')}`, ['a']))
  describe('PostgreSQL', () => suite(usePostgres(), ['a', 'b']))
})
