/** Limits over real sockets, on one process and on two with Redis. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { Journal } from '../../lib/records/journal.ts'
import { bookCredits, creditTotals } from '../../lib/store/credits.ts'
import { transact } from '../../lib/store/database.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import {
  delta,
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
  USAGE,
} from '../support/backend.ts'
import { ACCOUNT, eventually, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'
import { makeRecord } from '../support/record.ts'
import { useRedis } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const CHAT = '/v1/chat/completions'
const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }
const pricing = { input: 1000, cached_input: 1000, output: 4000 }
/** The cost of a reply with USAGE. */
const COST = USAGE.prompt_tokens * 1000 + USAGE.completion_tokens * 4000

interface Refused {
  readonly error: JsonObject & { readonly code: string }
}

const withStore = async <T>(gateway: TestGateway, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: silent })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

describe('limits', () => {
  let backend: ScriptedBackend
  const gateways: TestGateway[] = []
  const start = async (options: Omit<TestConfig, 'backends'>): Promise<TestGateway> => {
    const gateway = await testGateway({ backends: [backend.url], ...options })
    gateways.push(gateway)
    return gateway
  }
  beforeEach(async () => {
    backend = await scriptedBackend(reply())
  })
  afterEach(async () => {
    await backend.close()
    await Promise.all(gateways.splice(0).map(gateway => gateway.close()))
  })

  const plan = (members: JsonObject) => ({ more: { plans: { p: members } }, account: { plan: 'p' } })
  const refused = async (response: Response) => {
    const { error } = (await response.json()) as Refused
    const limit = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    return { status: response.status, error, headers: limit.map(name => response.headers.get(name)) }
  }

  it('answer with 429 while too many requests of an account are in flight', async () => {
    const gateway = await start(plan({ concurrency: 2 }))
    backend.script = startStream
    const abort = new AbortController()
    const running = [1, 2].map(() =>
      gateway.post(CHAT, { ...BODY, stream: true }, { signal: abort.signal }).catch(() => undefined),
    )
    await eventually(() => backend.requests.length === 2)
    const { status: code, error, headers } = await refused(await gateway.post(CHAT, BODY))
    expect(code).equal(429)
    expect(error).include({ type: 'rate_limit_error', code: 'concurrency_limit_exceeded' })
    expect(headers).deep.equal(['1', '2', '0', '1'])
    expect(backend.requests).lengthOf(2)
    backend.script = reply()
    abort.abort()
    await Promise.all(running)
    await eventually(() => gateway.gateway.exchanges === 0)
    for (let i = 0; i < 5; i++) expect((await gateway.post(CHAT, BODY)).status).equal(200)
  })

  it('answer with 429 when the included requests are used up; what was refused or failed does not count', async () => {
    const gateway = await start(plan({ tier: 'free', requests: { limit: 2, window: '7d' } }))
    for (let i = 0; i < 3; i++) expect((await gateway.post(CHAT, { ...BODY, model: 'none' })).status).equal(404)
    expect((await gateway.post(CHAT, '{')).status).equal(400)
    backend.script = status(500, {})
    expect((await gateway.post(CHAT, BODY)).status).equal(502)
    backend.script = reply()
    for (let i = 0; i < 2; i++) expect((await gateway.post(CHAT, BODY)).status).equal(200)
    const { status: code, error, headers } = await refused(await gateway.post(CHAT, BODY))
    expect(code).equal(429)
    expect(error).include({ code: 'request_quota_exceeded', request_limit: 2, plan_tier: 'free' })
    const end = Date.parse(String(error.window_end))
    expect(end % (7 * 86_400_000)).equal(0)
    expect(headers.slice(1, 3)).deep.equal(['2', '0'])
    expect(Number(headers[0])).within((end - Date.now()) / 1000 - 2, (end - Date.now()) / 1000 + 60)
    expect(headers[3]).equal(headers[0])
  })

  it('survive a restart with the included requests that are used up', async () => {
    const quota = { plans: { p: { requests: { limit: 2, window: '7d' } } } }
    const gateway = await start({ more: quota, account: { plan: 'p' } })
    for (let i = 0; i < 2; i++) expect((await gateway.post(CHAT, BODY)).status).equal(200)
    await gateway.gateway.drain()
    const more = { ...quota, store: `sqlite:${gateway.dir}/store.db` }
    const next = await start({ more, account: { plan: 'p' } })
    const { status: code, error } = await refused(await next.post(CHAT, BODY))
    expect([code, error.code]).deep.equal([429, 'request_quota_exceeded'])
  })

  it('limit the usage routes to their rate', async () => {
    const gateway = await start({ more: { rate_limits_per_minute: { usage: 2 } } })
    for (let i = 0; i < 2; i++) expect((await gateway.get('/v1/usage/me?period=1d')).status).equal(200)
    const { status: code, error, headers } = await refused(await gateway.get('/v1/usage/me?period=1d'))
    expect(code).equal(429)
    expect(error).include({ code: 'rate_limit_exceeded' })
    expect(headers.slice(1, 3)).deep.equal(['2', '0'])
  })

  describe('of money', () => {
    const prepaid = (credits_cents: number) => ({ account: { credits_cents }, model: { pricing } })
    const charged = (gateway: TestGateway) =>
      withStore(gateway, async store => (await creditTotals(store, [ACCOUNT])).get(ACCOUNT)?.charged ?? 0)
    const topUp = (gateway: TestGateway, cents: number) =>
      withStore(gateway, store =>
        transact(store, session =>
          bookCredits(session, [
            {
              ...{ request_id: crypto.randomUUID(), account_id: ACCOUNT, kind: 'top-up', created_at: 1 },
              amount_microcents: cents * 1_000_000,
            },
          ]),
        ),
      )

    it('answer with 402 when the balance does not cover a request, and admit it after a top-up', async () => {
      const gateway = await start({ ...prepaid(0), more: { topup_url: 'https://example.com/topup' } })
      const { status: code, error } = await refused(await gateway.post(CHAT, BODY))
      expect(code).equal(402)
      expect(error).deep.include({
        type: 'insufficient_credits',
        code: 'insufficient_credits',
        credits_available_cents: 0,
        credits_required_cents_estimate: 1,
        topup_url: 'https://example.com/topup',
      })
      expect(backend.requests).empty
      await topUp(gateway, 1)
      await eventually(async () => (await gateway.post(CHAT, BODY)).status === 200, 'the top-up')
    })

    it('charge what was used, once, and the ledger is the sum of the records', async () => {
      const gateway = await start(prepaid(100))
      for (let i = 0; i < 3; i++) expect((await gateway.post(CHAT, BODY)).status).equal(200)
      backend.script = status(400, { error: { message: 'no' } })
      expect((await gateway.post(CHAT, BODY)).status).equal(400)
      await eventually(async () => (await charged(gateway)) === 3 * COST)
      const costs = await withStore(gateway, async store => {
        const { rows } = await sql<{ sum: number }>`select sum(cost_microcents) as sum from requests`.execute(store.db)
        return rows[0]?.sum
      })
      expect(costs).equal(3 * COST)
    })

    it('charge the input and what was generated when the client disconnects', async () => {
      const gateway = await start(prepaid(100))
      backend.script = res => {
        startStream(res)
        sendEvent(res, {
          ...delta({ role: 'assistant', content: 'a' }),
          usage: { prompt_tokens: 7, completion_tokens: 1 },
        })
        sendEvent(res, { ...delta({ content: 'b' }), usage: { prompt_tokens: 7, completion_tokens: 2 } })
      }
      const abort = new AbortController()
      const response = await gateway.post(CHAT, { ...BODY, stream: true }, { signal: abort.signal })
      const reader = response.body!.getReader()
      let text = ''
      while (!text.includes('"b"')) text += Buffer.from((await reader.read()).value ?? []).toString()
      abort.abort()
      await eventually(async () => (await charged(gateway)) === 7 * 1000 + 2 * 4000)
    })

    it('charge nothing for a stream that the backend breaks', async () => {
      const gateway = await start(prepaid(1))
      backend.script = res => {
        startStream(res)
        sendEvent(res, {
          ...delta({ role: 'assistant', content: 'a' }),
          usage: { prompt_tokens: 7, completion_tokens: 1 },
        })
        setTimeout(() => res.destroy(), 30)
      }
      // Each of them reserves nearly half of the balance.
      for (let i = 0; i < 5; i++) {
        const response = await gateway.post(CHAT, { ...BODY, stream: true })
        expect(response.status).equal(200)
        expect(await response.text()).contain('"error"')
      }
      expect(await charged(gateway)).equal(0)
    })

    it('know what was charged before a restart, also what was still in the journal', async () => {
      const dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
      const before = new Journal({ directory: join(dir, 'journal'), log: silent, clock: systemClock })
      before.append(makeRecord({ account_id: ACCOUNT, cost_microcents: 999_999 }))
      await before.close()
      const gateway = await start({ ...prepaid(1), more: { journal: join(dir, 'journal') } })
      const { status: code, error } = await refused(await gateway.post(CHAT, BODY))
      expect(code).equal(402)
      expect(error).include({ credits_available_cents: 0 })
      rmSync(dir, { recursive: true, force: true })
    })
  })

  describe('of two processes over Redis', () => {
    const url = useRedis()
    const pair = async (options: Omit<TestConfig, 'backends'>) => {
      // Counts are per account, so every test has its own.
      const account = { id: crypto.randomUUID(), ...options.account }
      const more = { limits_store: url(), ...options.more }
      return [await start({ ...options, account, more }), await start({ ...options, account, more })] as const
    }
    const all = (both: readonly TestGateway[], count: number, onAnswer = () => {}) => {
      const one = async (gateway: TestGateway) => {
        const response = await gateway.post(CHAT, BODY)
        onAnswer()
        return response
      }
      return Promise.all(Array.from({ length: count }, (_, i) => one(both[i % 2]!)))
    }

    it('admit exactly as many of 200 at once as may be in flight', async () => {
      const both = await pair(plan({ concurrency: 23 }))
      const running: (() => void)[] = []
      backend.script = (res, seen, req) => void running.push(() => void reply()(res, seen, req))
      let answered = 0
      const answers = all(both, 200, () => void answered++)
      await eventually(() => running.length + answered === 200, 'an answer or a place for all')
      expect(running).lengthOf(23)
      for (const end of running) end()
      const codes = (await answers).map(({ status: code }) => code)
      expect(codes.filter(code => code === 200)).lengthOf(23)
      expect(codes.filter(code => code === 429)).lengthOf(177)
    })

    it('admit exactly as many of 200 at once as are included', async () => {
      const both = await pair(plan({ requests: { limit: 31, window: '30d' } }))
      const codes = (await all(both, 200)).map(({ status: code }) => code)
      expect(codes.filter(code => code === 200)).lengthOf(31)
      expect(codes.filter(code => code === 429)).lengthOf(169)
    })

    it('serve exactly as many of 200 at once as the balance suffices for', async () => {
      const both = await pair({ account: { credits_cents: 6 }, model: { pricing } })
      // Uses the whole reservation: 10 tokens of input and 100 of output.
      const cost = 10 * 1000 + 100 * 4000
      backend.script = status(200, {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 10, completion_tokens: 100 },
      })
      const codes = (await all(both, 200)).map(({ status: code }) => code)
      const suffices = Math.floor(6_000_000 / cost)
      expect(codes.filter(code => code === 200)).lengthOf(suffices)
      expect(codes.filter(code => code === 402)).lengthOf(200 - suffices)
    })

    it('have nothing left in flight or reserved after exits of every kind, and charged what the records say', async () => {
      const account = crypto.randomUUID()
      const both = await pair({
        account: { id: account, credits_cents: 1000, plan: 'p' },
        model: { pricing },
        more: { plans: { p: { concurrency: 8, requests: { limit: 100_000, window: '1d' } } } },
      })
      const faults: Script[] = [
        reply(),
        reply(),
        status(500, {}),
        status(400, { error: { message: 'no' } }),
        startStream,
      ]
      faults.push((_res, _seen, req) => void req.socket.destroy())
      faults.push(res => {
        startStream(res)
        sendEvent(res, { ...delta({ content: 'a' }), usage: { prompt_tokens: 7, completion_tokens: 1 } })
        setTimeout(() => res.destroy(), 5)
      })
      let turn = 0
      backend.script = (res, seen, req) => faults[turn++ % faults.length]!(res, seen, req)
      const one = async (i: number) => {
        const abort = AbortSignal.timeout(5 + (i % 7) * 20)
        const body = { ...BODY, stream: i % 3 > 0, ...(i % 11 === 0 ? { model: 'none' } : null) }
        const asked = both[i % 2]!.post(CHAT, i % 13 === 0 ? '{' : body, { signal: abort })
        await asked.then(response => response.text()).catch(() => undefined)
      }
      for (let i = 0; i < 600; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => one(i + j)))
      for (const { gateway } of both) await eventually(() => gateway.exchanges === 0)

      // The failures have ejected the backend. A success readmits it after a backoff of a few seconds.
      backend.script = reply()
      for (const gateway of both)
        await eventually(async () => {
          await new Promise(resolve => setTimeout(resolve, 100))
          return (await gateway.post(CHAT, BODY)).status === 200
        }, 'the backend')

      // All leases are released.
      const running: (() => void)[] = []
      backend.script = (res, seen, req) => void running.push(() => void reply()(res, seen, req))
      const answers = all(both, 8)
      await eventually(() => running.length === 8)
      for (const end of running) end()
      for (const { status: code } of await answers) expect(code).equal(200)

      // Redis, the ledger and the records agree.
      const ofBoth = async (query: (store: Store) => Promise<number>) => {
        const sums = await Promise.all(both.map(gateway => withStore(gateway, query)))
        return sums[0]! + sums[1]!
      }
      const recorded = () =>
        ofBoth(async ({ db }) => {
          const { rows } = await sql<{ sum: number | null }>`select sum(cost_microcents) as sum from requests`.execute(
            db,
          )
          return rows[0]?.sum ?? 0
        })
      const charged = () => ofBoth(async store => (await creditTotals(store, [account])).get(account)?.charged ?? 0)
      const raw = new Redis(url())
      const balance = async () => (await raw.hgetall(`sluiceway:{${account}}:balance`)) as Record<string, string>
      const spent = Number((await balance()).spent)
      expect(spent).above(8 * COST)
      await eventually(async () => (await recorded()) === spent && (await charged()) === spent)
      expect(await balance()).deep.equal({ spent: String(spent), reserved: '0' })
      raw.disconnect()
    })
  })
})
