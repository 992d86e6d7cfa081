/** Batches whose processes are killed: no line is lost, and none counts twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openStore } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { batchLine, createBatch, findBatch, type ResultLine, resultLines } from '../support/batch-client.ts'
import { ACCOUNT, eventually } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const LINES = 400
const KILLS = 20
/** One line in ten fails. */
const isBad = (content: string) => content.endsWith('7')
const lines = Array.from({ length: LINES }, (_, i) => batchLine(`r${i}`))

interface EndedBatch {
  readonly requestIds: readonly string[]
  /** Lines of the output file and of the error file without ids and times, each sorted. */
  readonly lines: readonly (readonly string[])[]
}

/** Ids and times of a result. */
const CHANGING: ReadonlySet<string> = new Set(['id', 'request_id', 'created'])

function stable(line: ResultLine): string {
  return JSON.stringify(line, (name, value: unknown) => (CHANGING.has(name) ? typeof value : value))
}

describe('batches whose processes are killed', function () {
  this.timeout(300_000)
  let dir = ''
  let backend: ScriptedBackend
  /** Lines that the engine has answered, and may answer: the others wait. */
  let answered = 0
  let allowed = Number.POSITIVE_INFINITY
  beforeEach(async () => {
    allowed = Number.POSITIVE_INFINITY
    dir = mkdtempSync(join(tmpdir(), 'batches-'))
    backend = await scriptedBackend(async (res, request, req) => {
      const [{ content }] = request.body.messages as [{ content: string }]
      await sleep(20 + Math.random() * 150)
      while (answered >= allowed && !res.destroyed) await sleep(20)
      answered++
      const script = isBad(content) ? status(400, { error: { message: `Not ${content}.` } }) : reply(`Yes, ${content}.`)
      return script(res, request, req)
    })
  })
  afterEach(async () => {
    rmSync(dir, { recursive: true, force: true })
    await backend.close()
  })

  async function endOf(url: string, id: string): Promise<EndedBatch> {
    let batch = await findBatch(url, id)
    await eventually(
      async () => {
        await sleep(500)
        batch = await findBatch(url, id)
        return batch.status === 'completed'
      },
      'the end',
      120_000,
    )
    const failed = LINES / 10
    expect(batch.request_counts).deep.equal({ total: LINES, completed: LINES - failed, failed })
    const files = [await resultLines(url, batch.output_file_id), await resultLines(url, batch.error_file_id)]
    return {
      requestIds: files.flat().map(line => line!.response!.request_id),
      lines: files.map(all => all!.map(stable).toSorted()),
    }
  }

  function suite(storeUrl: () => string, names: readonly string[]): void {
    it(`has each line as without ${KILLS} kills of ${names.length} process(es), once`, async () => {
      const start = (name: string) =>
        startProcess(dir, name, {
          backends: [backend.url],
          model: { pricing: { input: 100, output: 100 } },
          account: { credits_cents: 1_000_000 },
          more: { batches: { slots: 16 }, store: storeUrl(), files: { path: join(dir, 'files') } },
        })
      let processes: GatewayProcess[] = await Promise.all(names.map(start))
      const { url } = processes[0]!
      const undisturbed = await endOf(url, await createBatch(url, lines))
      answered = 0
      allowed = 0
      const id = await createBatch(url, lines)
      for (let kill = 0; kill < KILLS; kill++) {
        // Each kill finds lines in flight.
        allowed += LINES / (KILLS + 1)
        await sleep(50 + Math.random() * 500)
        const at = kill % names.length
        await processes[at]!.kill()
        processes = processes.with(at, await start(names[at]!))
      }
      expect((await findBatch(processes[0]!.url, id)).status).equal('in_progress')
      allowed = Number.POSITIVE_INFINITY
      const killed = await endOf(processes[0]!.url, id)
      expect(killed.lines).deep.equal(undisturbed.lines)
      await Promise.all(processes.map(process => process.stop()))
      const store = await openStore(storeUrl(), { log: silent })
      try {
        const records = await store.db.selectFrom('requests').selectAll().where('surface', '=', 'batch').execute()
        const requestIds = [...undisturbed.requestIds, ...killed.requestIds].toSorted()
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
