/** Limits of plans and keys, and their response headers, over real sockets, on one process and on two with Redis. */
import { expect } from 'chai'
import { Redis } from 'ioredis'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, startStream, status, USAGE } from '../support/backend.ts'
import { eventually, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'
import { useRedis } from '../support/services.ts'

const CHAT = '/v1/chat/completions'
const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }
/** A cent per token of output. */
const pricing = { input: 0, cached_input: 0, output: 1_000_000 }
const KEY = 'service_test_secret'

describe('limits of plans and keys', () => {
  let backend: ScriptedBackend
  const gateways: TestGateway[] = []
  let account = ''
  const start = async (plan: JsonObject, own: JsonObject = {}, more: JsonObject = {}): Promise<TestGateway> => {
    const options: TestConfig = {
      backends: [backend.url],
      model: { pricing },
      account: {
        ...{ id: account, plan: 'p' },
        keys: [
          { id: 'k1', user: 'alice@test', secret: KEY, limits: own },
          { id: 'k2', user: 'alice@test', secret: 'service_other_secret' },
        ],
      },
      more: { plans: { p: plan }, ...more },
    }
    const gateway = await testGateway(options)
    gateways.push(gateway)
    return gateway
  }
  const other = { headers: { authorization: 'Bearer service_other_secret' } }
  const left = (response: Response) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(name => response.headers.get(name))
  const refusal = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return { status: response.status, code: error.code, message: error.message }
  }
  beforeEach(async () => {
    account = crypto.randomUUID()
    backend = await scriptedBackend(reply())
  })
  afterEach(async () => {
    await backend.close()
    await Promise.all(gateways.splice(0).map(gateway => gateway.close()))
  })

  it('refuse the requests of a key, and leave those of others alone', async () => {
    const gateway = await start({}, { requests_per_minute: 2 })
    for (let i = 0; i < 2; i++) expect((await gateway.post(CHAT, BODY)).status).equal(200)
    const refused = await gateway.post(CHAT, BODY)
    expect(left(refused).slice(0, 2)).deep.equal(['2', '0'])
    expect(refused.headers.get('retry-after')).equal(refused.headers.get('ratelimit-reset'))
    expect(await refusal(refused)).include({ status: 429, code: 'rate_limit_exceeded' })
    expect((await gateway.post(CHAT, BODY, other)).status).equal(200)
  })

  it('release the leases of a key in every ending', async () => {
    const gateway = await start({ limits: { concurrency: 2 } }, { concurrency: 1 })
    backend.script = startStream
    const abort = new AbortController()
    const running = gateway.post(CHAT, { ...BODY, stream: true }, { signal: abort.signal }).catch(() => undefined)
    await eventually(() => backend.requests.length === 1)
    expect(await refusal(await gateway.post(CHAT, BODY))).include({ code: 'concurrency_limit_exceeded' })
    backend.script = reply()
    expect((await gateway.post(CHAT, BODY, other)).status).equal(200)
    abort.abort()
    await running
    await eventually(() => gateway.gateway.exchanges === 0)
    backend.script = status(500, {})
    expect((await gateway.post(CHAT, BODY)).status).equal(502)
    expect((await gateway.post(CHAT, '{')).status).equal(400)
    backend.script = reply()
    for (let i = 0; i < 3; i++) expect((await gateway.post(CHAT, { ...BODY, stream: i > 0 })).status).equal(200)
  })

  it('settle tokens and budgets by what was used, and refund what failed', async () => {
    const budget_cents = { amount: 110, window: '1d' }
    const gateway = await start({ limits: { tokens_per_minute: 400 } }, { budget_cents })
    // Each reserves more than a hundred tokens and a hundred cents, and uses seven tokens and two cents.
    for (let i = 0; i < 5; i++) expect((await gateway.post(CHAT, BODY)).status, `request ${i}`).equal(200)
    backend.script = status(500, {})
    for (let i = 0; i < 5; i++) expect((await gateway.post(CHAT, BODY)).status).equal(502)
    backend.script = reply()
    const last = await gateway.post(CHAT, BODY)
    expect(last.status).equal(200)
    // 110 cents, minus 5 times 2, minus the reservation of 100.
    expect(last.headers.get('x-service-budget-remaining-cents')).equal('0')
    const refused = await gateway.post(CHAT, BODY)
    expect(await refusal(refused)).include({ status: 429, code: 'rate_limit_exceeded' })
    expect(Number(refused.headers.get('retry-after'))).within(1, 86_400)
    expect(left(refused).slice(0, 2)).deep.equal(['110', '0'])
    const before = await gateway.post(CHAT, { ...BODY, max_tokens: 200 }, other)
    expect(before.status).equal(200)
    // Of 400 tokens per minute six requests have used seven each, and this one reserves more than 200.
    expect(Number(before.headers.get('ratelimit-remaining'))).within(1, 400 - 6 * USAGE.total_tokens - 200)
  })

  it('are told on success: the tightest of them, on every route of models and in the head of streams', async () => {
    const plan = { requests: { limit: 1000, window: '1d' }, limits: { requests_per_minute: 50 } }
    const gateway = await start(plan, { requests_per_minute: 20 })
    const ask = async (path: string, body: JsonObject) => {
      const response = await gateway.post(path, body)
      expect(response.status, path).equal(200)
      await response.text()
      return response
    }
    const responses = [
      await ask(CHAT, BODY),
      await ask(CHAT, { ...BODY, stream: true }),
      await ask('/v1/messages', BODY),
      await ask('/v1/messages', { ...BODY, stream: true }),
      await ask('/v1/responses', { model: 'm', input: 'Hello', stream: true }),
      await ask('/v1/completions', { model: 'm', prompt: 'Hello', max_tokens: 5 }),
    ]
    for (const [i, response] of responses.entries()) {
      expect(left(response)).deep.equal(['20', String(19 - i), '60'])
      expect(response.headers.get('x-service-quota-remaining')).equal(String(999 - i))
    }
  })

  it('tell the balance before it is used up', async () => {
    const options: TestConfig = {
      backends: [backend.url],
      model: { pricing },
      account: { id: account, credits_cents: 150 },
    }
    const gateway = await testGateway(options)
    gateways.push(gateway)
    const balances: (string | null)[] = []
    for (let i = 0; i < 3; i++)
      balances.push((await gateway.post(CHAT, BODY)).headers.get('x-service-credits-available-cents'))
    expect(balances).deep.equal(['50', '48', '46'])
  })

  it('are in the reports of the management API, by its own rate', async () => {
    const gateway = await start({}, {}, { rate_limits_per_minute: { usage: 5 } })
    expect(left(await gateway.get('/v1/usage/me?period=1d'))).deep.equal(['5', '4', '60'])
  })

  describe('of end users', () => {
    const budget = { amount: 101, window: '30d' }
    const askedBy = (gateway: TestGateway, user?: string, path = CHAT, body: JsonObject = BODY) =>
      gateway.post(path, { ...body, ...(user !== undefined && { user }) })
    it('are counted apart, on every API, and refused with the parameter user', async () => {
      const gateway = await start({ limits: { end_user: { from: 'user', label: true, requests_per_minute: 1 } } })
      expect((await askedBy(gateway, 'alice')).status).equal(200)
      const refused = await askedBy(gateway, 'alice', '/v1/completions', { model: 'm', prompt: 'a', max_tokens: 1 })
      const { error } = (await refused.json()) as { error: JsonObject }
      expect([refused.status, error.code, error.param]).deep.equal([429, 'rate_limit_exceeded', 'user'])
      const messages = { ...BODY, metadata: { user_id: 'alice' } }
      expect((await gateway.post('/v1/messages', messages)).status).equal(429)
      const responses = { model: 'm', input: 'Hi', safety_identifier: 'alice', user: 'bob' }
      expect((await gateway.post('/v1/responses', responses)).status).equal(429)
      expect((await askedBy(gateway, 'bob')).status).equal(200)
      expect((await askedBy(gateway)).status).equal(200)
      const zdr = await gateway.post(CHAT, { ...BODY, user: 'carol' }, { headers: { 'service-zdr': 'true' } })
      expect(zdr.status).equal(400)
      const rows = gateway.records()
      const labels = rows.map(({ end_user_label }) => end_user_label)
      expect(labels.slice(0, 2)).deep.equal(['alice', 'alice'])
      expect(labels).include('bob')
      expect(rows[0]?.end_user)
        .match(/^[0-9a-f]{16}$/)
        .and.equal(rows[1]?.end_user)
      expect(rows.map(({ end_user }) => end_user)).include('none')
    })

    it('survive a restart with what they have spent, and do not name anybody without label', async () => {
      const limits = { end_user: { from: 'header', header: 'X-End-User', budget_cents: budget } }
      const by = (name: string) => ({ headers: { 'x-end-user': name } })
      const gateway = await start({ limits }, {}, { cache_isolation_key: 'a key of a test'.repeat(2) })
      expect((await gateway.post(CHAT, BODY, by('alice'))).status).equal(200)
      expect((await gateway.post(CHAT, BODY, by('alice'))).status).equal(429)
      await gateway.gateway.drain()
      const rows = gateway.records()
      expect(rows.map(({ end_user_label }) => end_user_label)).deep.equal([null, null])
      const more = { store: `sqlite:${gateway.dir}/store.db`, cache_isolation_key: 'a key of a test'.repeat(2) }
      const next = await start({ limits }, {}, more)
      expect((await next.post(CHAT, BODY, by('alice'))).status).equal(429)
      expect((await next.post(CHAT, BODY, by('bob'))).status).equal(200)
    })
  })

  it('survive a restart with what a budget has spent', async () => {
    const options = (): TestConfig => ({
      backends: [backend.url],
      model: { pricing },
      account: {
        ...{ id: account, plan: 'p' },
        keys: [{ id: 'k1', user: 'alice@test', secret: KEY, limits: { budget_cents: { amount: 101, window: '30d' } } }],
      },
      more: { plans: { p: {} }, store: `sqlite:${gateways[0]?.dir}/store.db` },
    })
    const gateway = await start({}, { budget_cents: { amount: 101, window: '30d' } })
    expect((await gateway.post(CHAT, BODY)).status).equal(200)
    expect((await gateway.post(CHAT, BODY)).status).equal(429)
    await gateway.gateway.drain()
    const next = await testGateway(options())
    try {
      expect(await refusal(await next.post(CHAT, BODY))).include({ status: 429, code: 'rate_limit_exceeded' })
      expect((await next.post(CHAT, { ...BODY, max_tokens: 99 })).status).equal(200)
    } finally {
      await next.close()
    }
  })

  describe('of two processes', () => {
    const url = useRedis()
    let raw: Redis
    before(() => {
      raw = new Redis(url())
    })
    after(() => raw.disconnect())

    it('count models and end users together', async () => {
      const block = {
        requests_per_minute: 5,
        tokens_per_minute: 100_000,
        budget_cents: [{ amount: 9999, window: '1d' }],
      }
      const end_user = { from: 'user', ...block }
      const limits = { models: { alias: { ...block, requests_per_minute: 6, concurrency: 9 } }, end_user }
      const options = { limits_store: url(), cache_isolation_key: 'a key of a test'.repeat(2) }
      const pair = [await start({}, limits, options), await start({}, limits, options)]
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const response = await pair[i % 2]!.post(CHAT, { ...BODY, user: i < 20 ? 'alice' : 'bob' })
          await response.text()
          return response.status
        }),
      )
      expect(statuses.filter(code => code === 200)).lengthOf(6)
      expect(await raw.hget(`sluiceway:{${account}}:rate:inference:k1:model=m`, 'sum')).equal('6')
      const names = await raw.keys(`sluiceway:{${account}}:rate:inference:k1:user=*`)
      const sums = await Promise.all(names.map(async name => Number(await raw.hget(name, 'sum'))))
      expect(sums.reduce((sum, one) => sum + one, 0)).equal(6)
      for (const sum of sums) expect(sum).at.most(5)
      expect(names.join()).not.contain('alice')
    })

    it('are exact together, and a refusal takes nothing of any of them', async () => {
      const plan = { limits: { requests_per_minute: 60, concurrency: 60, tokens_per_minute: 100_000 } }
      const own = { requests_per_minute: 30, concurrency: 50, budget_cents: { amount: 1250, window: '1d' } }
      const pair = [await start(plan, own, { limits_store: url() }), await start(plan, own, { limits_store: url() })]
      for (const gateway of pair) expect((await gateway.post(CHAT, BODY)).status).equal(200)
      // Each reserves a hundred cents of the 1250 minus 4 of the first two: twelve at once.
      backend.script = startStream
      const abort = new AbortController()
      const ask = (i: number) => pair[i % 2]!.post(CHAT, { ...BODY, stream: true }, { signal: abort.signal })
      const answers = Array.from({ length: 40 }, (_, i) =>
        ask(i).then(
          response => response.status,
          () => 0,
        ),
      )
      const statuses: number[] = []
      for (const answer of answers) void answer.then(code => statuses.push(code))
      await eventually(() => backend.requests.length === 14 && statuses.length === 28)
      expect(statuses.every(code => code === 429)).equal(true)
      // A refused request does not count in the other limits.
      expect(await raw.hget(`sluiceway:{${account}}:rate:inference:k1`, 'sum')).equal('14')
      expect(await raw.hget(`sluiceway:{${account}}:rate:inference`, 'sum')).equal('14')
      expect(await raw.zcard(`sluiceway:{${account}}:leases:k1`)).equal(12)
      abort.abort()
      await Promise.all(answers)
      await eventually(() => pair.every(gateway => gateway.gateway.exchanges === 0))
      await eventually(async () => (await raw.zcard(`sluiceway:{${account}}:leases:k1`)) === 0)
      const [balance] = await raw.keys(`sluiceway:{${account}}:balance:budget:86400000:*:k1`)
      await eventually(async () => (await raw.hget(balance!, 'reserved')) === '0')
      backend.script = reply()
      expect((await pair[0]!.post(CHAT, BODY)).status).equal(200)
    })
  })
})
