import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { run } from '../../../lib/core/chain.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { finish } from '../../../lib/lifecycle/respond.ts'
import { failure, type GatewayError, type Hooks, type Outcome } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { target, usage } from '../../../plugins/slots.ts'
import plugin from '../../../plugins/telemetry/metrics/index.ts'
import { model, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'
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
    exchange.upstreamStartedMono = clock.monotonic()
    clock.advance(400)
    exchange.upstreamEndedMono = clock.monotonic()
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

  it('count requests by route, model, status and code', async () => {
    play({ before: known })
    play({ before: known })
    play({ before: known, status: 504, outcome: 'failed', error: failure('backend_timeout', { model: 'm' }) })
    play({ route: 'messages', status: 401, outcome: 'failed', error: failure('invalid_api_key', {}) })
    play({ before: known, outcome: 'client_gone' })
    expect(await samples('sluiceway_requests_total')).deep.equal({
      [`${CHAT},status="200",code=""`]: 2,
      [`${CHAT},status="504",code="backend_timeout"`]: 1,
      'route="messages",model="other",status="401",code="invalid_api_key"': 1,
      [`${CHAT},status="499",code=""`]: 1,
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
        own.pace?.observe(0.05)
      },
    })
    const sum = async (name: string) => (await samples(`${name}_sum`))[CHAT]
    expect(await sum('sluiceway_request_duration_seconds')).equal(0.5)
    expect(await sum('sluiceway_overhead_seconds')).closeTo(0.1, 1e-9)
    expect(await sum('sluiceway_time_to_first_token_seconds')).equal(0.2)
    expect(await sum('sluiceway_inter_token_seconds')).closeTo(0.05, 1e-9)
  })

  it('know no first token and no pace of a JSON reply', async () => {
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
      [`${CHAT},kind="input"`]: 100,
      [`${CHAT},kind="output"`]: 20,
      [`${CHAT},kind="cache_read"`]: 64,
    })
    expect(await samples('sluiceway_stream_stalls_total')).deep.equal({ [CHAT]: 2 })
    expect(await samples('sluiceway_streams_broken_total')).deep.equal({ [CHAT]: 1 })
    expect(await samples('sluiceway_usage_missing_total'), 'only complete replies count').deep.equal({ [CHAT]: 1 })
  })

  it('measure replies of backends, not lists and pages', async () => {
    play({ route: 'model-list' })
    expect((await samples('sluiceway_request_duration_seconds_count'))['route="model-list",model="other"']).equal(
      undefined,
    )
    expect(await samples('sluiceway_requests_total')).deep.equal({
      'route="model-list",model="other",status="200",code=""': 1,
    })
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

  it('keep counting after a reload', async () => {
    play({ before: known })
    hooks = await plugin.setup({}, testServices([], { metrics }))
    play({ before: known })
    expect(Object.values(await samples('sluiceway_requests_total'))).deep.equal([2])
  })
})
