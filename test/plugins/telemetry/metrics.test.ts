import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { finish, run } from '../../../lib/core/hooks.ts'
import type { Hooks, Outcome } from '../../../lib/core/plugin.ts'
import { failure, type GatewayError, type Key, type Services } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { inFlight, key, target, usage } from '../../../plugins/slots.ts'
import plugin from '../../../plugins/telemetry/metrics/index.ts'
import { addGap } from '../../../plugins/telemetry/token-pace.ts'
import { model, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'
import { keyOf } from '../../support/key.ts'
import { usageOf } from '../../support/reply-usage.ts'

describe('metrics', () => {
  let metrics: Metrics
  let hooks: Hooks

  beforeEach(async () => {
    metrics = new Metrics()
    hooks = await plugin.setup({}, testServices([], { metrics }))
  })

  interface Played extends Place {
    readonly outcome?: Outcome
    readonly error?: GatewayError
    readonly status?: number
    readonly before?: (exchange: Exchange) => void
  }

  /** An exchange of 500 ms, 400 of them at the backend. */
  function play({ outcome = 'done', error, status = 200, before, ...place }: Played = {}): void {
    const clock = new ManualClock()
    const { exchange } = notedExchange({ ...place, clock, hooks: [hooks] })
    void run(exchange.chain.headers, exchange)
    exchange.status = status
    clock.advance(50)
    exchange.upstream.startedMono = clock.monotonic()
    clock.advance(400)
    exchange.upstream.endedMono = clock.monotonic()
    clock.advance(50)
    before?.(exchange)
    finish(exchange, outcome, error)
  }

  const known = (exchange: Exchange) => exchange.set(target, targetOf(model()))

  /** Samples of one metric by their labels. */
  async function samples(name: string): Promise<Record<string, number>> {
    const text = await metrics.registry.metrics()
    const found = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))]
    return Object.fromEntries(found.map(([, labels, value]) => [labels ?? '', Number(value)]))
  }

  const CHAT = 'route="chat",model="m"'

  it('of lines of batches and of questions of the gateway have a surface, and no times', async () => {
    metrics = new Metrics()
    const config = { ...testServices().config, metrics: { accounts: 2 } } as Services['config']
    hooks = await plugin.setup({}, testServices([], { metrics, config }))
    const before = (exchange: Exchange) => {
      known(exchange)
      exchange.set(key, keyOf())
      exchange.set(usage, usageOf({ inputTokens: 3, outputTokens: 5, finish: 'stop' }))
      expect(exchange.find(inFlight)).equal(exchange.surface !== 'batch')
    }
    for (const surface of ['batch', 'internal'] as const) play({ surface, before })
    for (const surface of ['batch', 'internal']) {
      const own = `surface="${surface}"`
      expect(await samples('sluiceway_tokens_total')).include({ [`${CHAT},${own},kind="output"`]: 5 })
      expect(await samples('sluiceway_usage_missing_total')).include({ [`${CHAT},${own}`]: 1 })
      expect(await samples('sluiceway_finish_total')).include({ [`model="m",reason="stop",${own}`]: 1 })
      expect(await samples('sluiceway_requests_total')).include({ [`${CHAT},status="200",code="",${own}`]: 1 })
    }
    for (const name of ['request_duration', 'overhead', 'time_to_first_token', 'inter_token'])
      expect(await samples(`sluiceway_${name}_seconds_count`), name).deep.equal({})
    expect(Object.values(await samples('sluiceway_account_requests_total'))).deep.equal([1])
    expect(Object.values(await samples('sluiceway_requests_in_flight'))).deep.equal([0])
  })

  it('count requests by route, model, status and code', async () => {
    play({ before: known })
    play({ before: known })
    play({ before: known, status: 504, outcome: 'failed', error: failure('backend_timeout', { model: 'm' }) })
    play({ route: 'messages', status: 401, outcome: 'failed', error: failure('invalid_api_key', {}) })
    play({ before: known, outcome: 'client_gone' })
    expect(await samples('sluiceway_requests_total')).deep.equal({
      [`${CHAT},status="200",code="",surface="gateway"`]: 2,
      [`${CHAT},status="504",code="backend_timeout",surface="gateway"`]: 1,
      'route="messages",model="other",status="401",code="invalid_api_key",surface="gateway"': 1,
      [`${CHAT},status="499",code="",surface="gateway"`]: 1,
    })
  })

  it('count requests in flight, and each end once', async () => {
    const { exchange } = notedExchange({ hooks: [hooks] })
    void run(exchange.chain.headers, exchange)
    expect(await samples('sluiceway_requests_in_flight')).deep.equal({ '': 1 })
    finish(exchange, 'client_gone')
    expect(await samples('sluiceway_requests_in_flight')).deep.equal({ '': 0 })
    // No hook ran: no route was found.
    finish(notedExchange({ hooks: [hooks] }).exchange, 'failed')
    expect(await samples('sluiceway_requests_in_flight')).deep.equal({ '': 0 })
  })

  it('measure a stream: duration, part of the gateway, first token and pace', async () => {
    play({
      before(exchange) {
        known(exchange)
        exchange.streaming = true
        const own = usageOf({ usagePresent: true, firstTokenMs: 200 })
        exchange.set(usage, own)
        for (const hook of exchange.chain.transform) expect(hook(exchange as never)).equal(undefined)
        for (const gap of [0.05, 0.04, 0.3]) addGap(own.pace!, gap)
      },
    })
    const sum = async (name: string) => (await samples(`${name}_sum`))[CHAT]
    expect(await sum('sluiceway_request_duration_seconds')).equal(0.5)
    expect(await sum('sluiceway_overhead_seconds')).closeTo(0.1, 1e-9)
    expect(await sum('sluiceway_time_to_first_token_seconds')).equal(0.2)
    expect(await sum('sluiceway_inter_token_seconds')).closeTo(0.39, 1e-9)
    const pace = await samples('sluiceway_inter_token_seconds_bucket')
    const upTo = ['0.03', '0.05', '0.2', '0.5', '+Inf'].map(bound => pace[`le="${bound}",${CHAT}`])
    expect(upTo).deep.equal([0, 2, 2, 3, 3])
  })

  it('have no first token and no token gaps for a JSON reply', async () => {
    play({
      before(exchange) {
        known(exchange)
        exchange.set(usage, usageOf({ usagePresent: true, firstTokenMs: 200, lastTokenMs: 200, outputTokens: 5 }))
      },
    })
    expect((await samples('sluiceway_time_to_first_token_seconds_count'))[CHAT]).equal(undefined)
    const own = usageOf()
    play({
      before(exchange) {
        exchange.set(usage, own)
        for (const hook of exchange.chain.transform) hook(exchange as never)
      },
    })
    expect(own.pace).equal(null)
  })

  it('add tokens by kind, stalls, broken streams and missing usage', async () => {
    play({
      before(exchange) {
        known(exchange)
        exchange.streaming = true
        exchange.brokeMidStream = true
        exchange.set(usage, usageOf({ inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, stalls: 2 }))
      },
      outcome: 'failed',
    })
    play({
      before(exchange) {
        known(exchange)
        exchange.set(usage, usageOf())
      },
    })
    expect(await samples('sluiceway_tokens_total')).deep.equal({
      [`${CHAT},surface="gateway",kind="input"`]: 100,
      [`${CHAT},surface="gateway",kind="output"`]: 20,
      [`${CHAT},surface="gateway",kind="cache_read"`]: 64,
    })
    expect(await samples('sluiceway_stream_stalls_total')).deep.equal({ [CHAT]: 2 })
    expect(await samples('sluiceway_streams_broken_total')).deep.equal({ [CHAT]: 1 })
    expect(await samples('sluiceway_usage_missing_total'), 'only complete replies count').deep.equal({
      [`${CHAT},surface="gateway"`]: 1,
    })
  })

  it('measure replies of backends, not lists and pages', async () => {
    play({ route: 'model-list' })
    expect((await samples('sluiceway_request_duration_seconds_count'))['route="model-list",model="other"']).equal(
      undefined,
    )
    expect(await samples('sluiceway_requests_total')).deep.equal({
      'route="model-list",model="other",status="200",code="",surface="gateway"': 1,
    })
  })

  it('count attempts by backend, with their times and the tokens of the one that answered', async () => {
    const facts = { model: 'm', engine: 'vllm', startedMs: 50, reason: null, usage: null, choice: null }
    const attempt = { ...facts, backend: 'http://one/v1', status: 200, outcome: 'ok' as const }
    const refused = { ...attempt, firstTokenMs: null, endedMs: 150, status: 503, outcome: 'failed' as const }
    const served = { ...attempt, backend: 'http://two/v1', startedMs: 150, firstTokenMs: 400, endedMs: 1150 }
    const tokens = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, finish: 'length', usagePresent: true }
    for (const streaming of [true, false]) {
      play({
        before(exchange) {
          known(exchange)
          exchange.streaming = streaming
          exchange.upstream.attempts.push(refused, served)
          exchange.set(usage, usageOf(tokens))
        },
      })
    }
    const one = 'model="m",backend="http://one/v1"'
    const two = 'model="m",backend="http://two/v1"'
    expect(await samples('sluiceway_backend_requests_total')).deep.equal({
      [`${one},outcome="failed"`]: 2,
      [`${two},outcome="ok"`]: 2,
    })
    expect(await samples('sluiceway_backend_duration_seconds_sum')).deep.equal({ [one]: 0.2, [two]: 2 })
    // Only streams, and no backend without a first token.
    expect((await samples('sluiceway_backend_time_to_first_token_seconds_sum'))[two]).equal(0.25)
    expect((await samples('sluiceway_backend_time_to_first_token_seconds_count'))[one] ?? 0).equal(0)
    const counted = await samples('sluiceway_backend_tokens_total')
    expect(['input', 'output', 'cache_read'].map(kind => counted[`${two},kind="${kind}"`])).deep.equal([200, 40, 128])
    expect(counted[`${one},kind="input"`] ?? 0).equal(0)
    expect(await samples('sluiceway_finish_total')).deep.equal({ 'model="m",reason="length",surface="gateway"': 2 })
  })

  it('count requests and tokens of the busiest accounts if configured', async () => {
    const of =
      (id: string, name = id.toUpperCase()) =>
      (exchange: Exchange) => {
        known(exchange)
        exchange.set(key, { account: { id, name } } as Key)
        exchange.set(usage, usageOf({ inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 }))
      }
    play({ before: of('a') })
    expect(await samples('sluiceway_account_requests_total')).deep.equal({})
    const config = { metrics: { accounts: 2 } } as Services['config']
    hooks = await plugin.setup({}, testServices([], { metrics, config }))
    for (const id of ['a', 'b', 'c', 'a', 'd']) play({ before: of(id) })
    play({ status: 401, outcome: 'failed', error: failure('invalid_api_key', {}) })
    expect(await samples('sluiceway_account_requests_total')).deep.equal({
      'account="a",account_name="A"': 2,
      'account="b",account_name="B"': 1,
      'account="other",account_name="other"': 2,
    })
    const tokens = await samples('sluiceway_account_tokens_total')
    const kinds = ['input', 'output', 'cache_read']
    expect(kinds.map(kind => tokens[`account="a",account_name="A",kind="${kind}"`])).deep.equal([20, 4, 8])
    expect(kinds.map(kind => tokens[`account="other",account_name="other",kind="${kind}"`])).deep.equal([20, 4, 8])
    play({ before: of('a', 'renamed') })
    expect(await samples('sluiceway_account_requests_total')).deep.equal({
      'account="a",account_name="renamed"': 1,
      'account="b",account_name="B"': 1,
      'account="other",account_name="other"': 2,
    })
    expect(await samples('sluiceway_account_tokens_total')).not.have.property(
      'account="a",account_name="A",kind="input"',
    )
  })

  // docs/DESIGN.md#closed-label-sets
  it('have labels of closed sets alone, whatever clients send', async () => {
    for (let i = 0; i < 50; i++) {
      const headers = { 'x-request-id': `id-${i}`, host: `h${i}.test` }
      const error = failure('model_not_found', { model: `evil-${i}`, available: '' })
      play({ headers, outcome: 'failed', error, status: 404 })
    }
    const text = await metrics.registry.metrics()
    expect(text).not.match(/evil-|id-\d|h\d+\.test/)
    expect(Object.values(await samples('sluiceway_requests_total'))).deep.equal([50])
  })

  it('continue to count after a reload', async () => {
    play({ before: known })
    hooks = await plugin.setup({}, testServices([], { metrics }))
    play({ before: known })
    expect(Object.values(await samples('sluiceway_requests_total'))).deep.equal([2])
  })
})
