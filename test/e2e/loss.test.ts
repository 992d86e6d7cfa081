/**
 * Every response is recorded once, even if the process, the disk or the store fails. Requests that cannot be recorded
 * are refused.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { openStore } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { Cli } from '../support/cli.ts'
import { type Disk, diskOf } from '../support/disk.ts'
import { openGate } from '../support/gate.ts'
import { configFile, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
/** Number of kills per store. */
const KILLS = Number(process.env.KILLS ?? 2)
const CLIENTS = 8
/** Minimum number of complete responses before each kill. */
const LEAST = 20
const CONFIG = { backends: [] as string[], more: {}, account: {} }

/** The public id of a complete response; undefined: it is incomplete, or a refusal. */
async function chat(url: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(CHAT) })
    await answer.text()
    return answer.status === 200 ? answer.headers.get('x-request-id')!.slice(-12) : undefined
  } catch {
    return undefined
  }
}

/** Public ids of all requests in the store. */
async function idsIn(url: string): Promise<string[]> {
  const store = await openStore(url, { log: silent })
  try {
    const rows = await store.db.selectFrom('requests').select('id').execute()
    return rows.map(({ id }) => id.slice(-12)).sort()
  } finally {
    await store.close()
  }
}

/** The response head, as Node writes it. */
function headOf(res: ServerResponse): string {
  return (res as unknown as { readonly _header: string | null })._header ?? ''
}

describe('no record is lost', () => {
  let dir = ''
  let backend: ScriptedBackend
  before(async () => {
    backend = await scriptedBackend(reply())
  })
  after(() => backend.close())
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'loss-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  describe('by a response that leaves before its record', () => {
    let gateway: TestGateway
    before(async () => {
      gateway = await testGateway({ ...CONFIG, backends: [backend.url], more: { body_limit_bytes: 200_000 } })
    })
    after(() => gateway.close())

    const stream = { ...CHAT, stream: true }
    const tooLong = { ...CHAT, messages: [{ role: 'user', content: 'x'.repeat(300_000) }] }
    for (const [what, body, status] of [
      ['one JSON body', CHAT, 200],
      ['a stream', stream, 200],
      ['a refusal after the body', { ...CHAT, model: 'none' }, 404],
      ['a refusal before the body has been read', tooLong, 413],
    ] as const) {
      it(`${what}: the record is kept first`, async () => {
        const { end, write } = ServerResponse.prototype
        const missing: string[] = []
        const responses = new Set<ServerResponse>()
        const check = (res: ServerResponse) => {
          const id = /x-request-id: (\S+)/i.exec(headOf(res))![1]!
          if (!gateway.records().some(record => record.id.endsWith(id.slice(-12)))) missing.push(id)
          responses.add(res)
        }
        const ofGateway = (res: ServerResponse) => /x-request-id/i.test(headOf(res))
        // A refusal ends with a separate write, because the rest of the request is read first.
        ServerResponse.prototype.write = function (this: ServerResponse, ...args: [never, never]) {
          if (status !== 200 && ofGateway(this)) check(this)
          return write.apply(this, args)
        } as typeof write
        ServerResponse.prototype.end = function (this: ServerResponse, ...args: [never, never]) {
          if (ofGateway(this)) check(this)
          return end.apply(this, args)
        } as typeof end
        try {
          const answers = await Promise.all(Array.from({ length: 5 }, () => gateway.post('/v1/chat/completions', body)))
          for (const answer of answers) {
            expect(answer.status).equal(status)
            await answer.text()
          }
        } finally {
          Object.assign(ServerResponse.prototype, { end, write })
        }
        expect([responses.size, missing]).deep.equal([5, []])
      })
    }
  })

  describe('by kill -9 under load', () => {
    /** Clients send requests until the process has ended. Returns the ids of complete responses. */
    const untilKilled = async (file: string): Promise<string[]> => {
      const serving = new Cli(['serve', '--config', file])
      try {
        const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
        const answered: string[] = []
        const ask = async () => {
          while (serving.child.exitCode === null && serving.child.signalCode === null) {
            const id = await chat(url!)
            if (id !== undefined) answered.push(id)
          }
        }
        const clients = Array.from({ length: CLIENTS }, ask)
        const enough = LEAST + Math.random() * 60
        await eventually(() => answered.length >= enough, 'the responses')
        // At a random time, not at that of a response.
        await sleep(Math.random() * 20)
        serving.child.kill('SIGKILL')
        await Promise.all(clients)
        return answered
      } finally {
        serving.child.kill('SIGKILL')
        await serving.ended
      }
    }

    const survive = async (store: string) => {
      const file = join(dir, 'config.json')
      const config = { ...configFile(dir, { ...CONFIG, backends: [backend.url] }), store, log: { level: 'error' } }
      writeFileSync(file, JSON.stringify(config))
      const answered: string[] = []
      for (let i = 0; i < KILLS; i++) answered.push(...(await untilKilled(file)))
      expect(answered.length).least(LEAST * KILLS)
      const last = new Cli(['serve', '--config', file])
      const [, admin] = await last.match(/Admin +(\S+) /)
      await eventually(
        async () => /^sluiceway_store_lag_records 0$/m.test(await (await fetch(`${admin}/metrics`)).text()),
        'the journal to be moved',
      )
      last.child.kill('SIGTERM')
      expect((await last.ended).code).equal(0)
      const found = await idsIn(store)
      const there = new Set(found)
      expect(answered.filter(id => !there.has(id))).deep.equal([])
      expect(there.size).equal(found.length)
    }

    it('on SQLite', async function () {
      this.timeout(60_000 + KILLS * 20_000)
      await survive(`sqlite:${join(dir, 'store.db')}`)
    })

    describe('on PostgreSQL', () => {
      const url = usePostgres()

      it('on PostgreSQL as well', async function () {
        this.timeout(60_000 + KILLS * 20_000)
        await survive(url())
      })
    })
  })

  describe('by a disk that fails', () => {
    let gateway: TestGateway
    let disk: Disk
    beforeEach(async () => {
      gateway = await testGateway({ ...CONFIG, backends: [backend.url] })
      disk = diskOf(join(gateway.dir, 'journal'))
    })
    afterEach(async () => {
      disk.mend()
      backend.script = reply()
      await gateway.close()
    })

    const refusal = async () => {
      const answer = await gateway.post('/v1/chat/completions', CHAT)
      expect(answer.status).equal(503)
      expect(answer.headers.get('retry-after')).match(/^\d+$/)
      const { error } = (await answer.json()) as { error: { code: string; message: string } }
      expect(error.code).equal('internal_error')
      expect(error.message).match(/cannot keep records of requests/)
    }
    const healthy = () => gateway.metric('sluiceway_journal_healthy')

    for (const how of ['ENOSPC', 'EIO', 'halves'] as const) {
      it(`when writes fail (${how}): running requests are recorded, new ones are refused until it is repaired`, async () => {
        const answered = [await chat(gateway.url)]
        // Requests in flight when the disk fails.
        const gates = Promise.withResolvers<void>()
        backend.script = async (res, request, req) => {
          await gates.promise
          await reply()(res, request, req)
        }
        const before = backend.requests.length
        const underWay = Array.from({ length: 5 }, () => chat(gateway.url))
        await eventually(() => backend.requests.length === before + 5, 'requests under way')
        disk.failWrites(how)
        gates.resolve()
        answered.push(...(await Promise.all(underWay)))
        expect(answered).not.include(undefined)
        for (let i = 0; i < 3; i++) await refusal()
        expect(await healthy()).equal(0)
        disk.mend()
        await eventually(async () => (await healthy()) === 1, 'the journal to be mended')
        answered.push(await chat(gateway.url))
        expect(await gateway.metric('sluiceway_journal_lost_records_total')).equal(0)
        await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'no lag')
        const found = await idsIn(`sqlite:${gateway.dir}/store.db`)
        expect(found.filter(id => answered.includes(id))).deep.equal(answered.sort())
      })
    }

    it('when flushes fail: new requests are refused, and served again once one succeeds', async () => {
      disk.failFlushes()
      const answered = [await chat(gateway.url)]
      await eventually(async () => (await healthy()) === 0, 'the flush to fail')
      await refusal()
      disk.mend()
      await eventually(async () => (await healthy()) === 1, 'a flush to succeed')
      answered.push(await chat(gateway.url))
      expect(answered).not.include(undefined)
      await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'no lag')
      const found = await idsIn(`sqlite:${gateway.dir}/store.db`)
      expect(found.filter(id => answered.includes(id))).deep.equal(answered.sort())
    })
  })

  describe('by a store that is unavailable', () => {
    const url = usePostgres()

    it('a gateway that starts serves requests, and /readyz has a remark until the store answers', async () => {
      const gate = await openGate(url())
      gate.shut()
      const gateway = await testGateway({
        ...CONFIG,
        backends: [backend.url],
        more: { store: gate.url, admin: { port: 0 } },
      })
      try {
        const ready = async () => {
          const reply = await fetch(`${gateway.gateway.adminUrl}/readyz`)
          return [reply.status, await reply.text()]
        }
        expect(await chat(gateway.url)).not.equal(undefined)
        expect(await ready()).deep.equal([
          200,
          'ok\nthe store has not answered since the start: records wait in the journal\n',
        ])
        gate.open()
        await eventually(async () => (await ready())[1] === 'ok\n', 'an answer of the store')
      } finally {
        gate.open()
        await gateway.close()
        await gate.close()
      }
    })

    it('requests are served, queries are refused, and all records are in the store in the end', async function () {
      const away = Number(process.env.AWAY_MS ?? 2500)
      this.timeout(60_000 + away)
      const gate = await openGate(url())
      const gateway = await testGateway({
        ...CONFIG,
        backends: [backend.url],
        more: { store: gate.url },
      })
      try {
        const answered = [await chat(gateway.url)]
        gate.shut()
        const end = Date.now() + away
        while (Date.now() < end || answered.length < 20) {
          answered.push(await chat(gateway.url))
          await sleep(20)
        }
        expect(answered).not.include(undefined)
        const question = await gateway.get('/v1/usage/me?period=1d')
        expect(question.status).equal(503)
        const { error } = (await question.json()) as { error: { message: string } }
        expect(error.message).match(/^The store cannot be asked/)
        expect(await gateway.metric('sluiceway_store_lag_records')).greaterThan(10)
        gate.open()
        await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'no lag')
        const found = await idsIn(url())
        expect(found.filter(id => answered.includes(id))).deep.equal(answered.sort())
      } finally {
        gate.open()
        await gateway.close()
        await gate.close()
      }
    })
  })
})
