import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { beginAttempt, finish } from '../../../lib/core/hooks.ts'
import type { AttemptFacts, ChatRequest } from '../../../lib/plugin.ts'
import { play, testServices } from '../../../lib/testing.ts'
import { chat, usage, zdr } from '../../../plugins/slots.ts'
import type { Options } from '../../../plugins/telemetry/trace/generated/options.ts'
import trace from '../../../plugins/telemetry/trace/index.ts'
import { chatRequest } from '../../support/canonical.ts'
import { type Collector, collector } from '../../support/collector.ts'
import { notedExchange } from '../../support/exchange.ts'
import { planSetup } from '../../support/plan.ts'
import { usageOf } from '../../support/reply-usage.ts'

const WORK = { cancel() {}, fail() {} }

const attempt = (more: Partial<AttemptFacts> = {}): AttemptFacts => ({
  model: 'm',
  backend: 'https://gpu-1.example.com/v1',
  engine: 'vllm',
  startedMs: 1,
  firstTokenMs: null,
  endedMs: 5,
  status: 200,
  outcome: 'ok',
  reason: null,
  usage: null,
  choice: null,
  ...more,
})

describe('trace', () => {
  const { planOf } = planSetup()
  let collecting: Collector

  beforeEach(async () => {
    collecting = await collector()
  })

  afterEach(() => collecting.close())

  /** An exchange with these hooks, whose spans are exported at its end. */
  async function traced(options: Partial<Options>, live: (exchange: Exchange) => void) {
    const all: Options = { endpoint: collecting.url, sample: 1, parent: 'ignore', ...options }
    const hooks = await trace.setup(all, testServices([]))
    const { exchange } = notedExchange({ hooks: [hooks] })
    for (const { call } of exchange.chain.headers) await call(exchange)
    live(exchange)
    if (!exchange.finished) finish(exchange, 'done')
    await hooks.close?.()
    return collecting.spans
  }

  it('has one span for each attempt, with the address of its backend', async () => {
    const spans = await traced({}, exchange => {
      for (const facts of [
        attempt({ status: 0, outcome: 'unreachable' }),
        attempt({ backend: 'http://gpu-2:8000/v1', engine: 'llama.cpp' }),
      ])
        beginAttempt(exchange, facts, WORK)
    })
    const clients = spans.filter(({ kind }) => kind === 'CLIENT').map(({ attributes }) => attributes)
    expect(clients).lengthOf(2)
    expect(clients[0]).include({
      'server.address': 'gpu-1.example.com',
      'server.port': 443,
      'error.type': 'unreachable',
    })
    expect(clients[0]).not.include.keys('http.response.status_code')
    expect(clients.map(attributes => attributes['gen_ai.provider.name'])).deep.equal(['vllm', 'llama.cpp'])
    expect(clients[1]).include({ 'server.address': 'gpu-2', 'server.port': 8000, 'http.response.status_code': 200 })
  })

  it('has what the client requested, but not under zero data retention', async () => {
    const requested = async (more: Partial<ChatRequest>, required = false) => {
      const before = collecting.spans.length
      const spans = await traced({}, exchange => {
        exchange.set(chat, chatRequest(more))
        if (required) exchange.set(zdr, 'header')
        beginAttempt(exchange, attempt(), WORK)
      })
      const names = /^gen_ai\.(request\.(?!model)|output)/
      return spans
        .slice(before)
        .map(({ attributes }) => Object.fromEntries(Object.entries(attributes).filter(([name]) => names.test(name))))
    }
    const responseFormat = { type: 'json_object' } as const
    const more = { stream: true, n: 2, sampling: { seed: 5, top_k: 40, temperature: 1 }, responseFormat }
    const all = {
      'gen_ai.request.stream': true,
      'gen_ai.request.choice.count': 2,
      'gen_ai.request.seed': 5,
      'gen_ai.request.top_k': 40,
      'gen_ai.output.type': 'json',
    }
    expect(await requested(more)).deep.equal([all, all])
    expect(await requested(more, true)).deep.equal([{}, {}])
    expect(await requested({})).deep.equal([{}, {}])
  })

  it('has the tokens of the last attempt alone', async () => {
    const spans = await traced({}, exchange => {
      exchange.set(usage, { ...usageOf({}), inputTokens: 7, outputTokens: null, reasoningTokens: 3, finish: 'stop' })
      beginAttempt(exchange, attempt({ status: 429, outcome: 'failed' }), WORK)
      beginAttempt(exchange, attempt(), WORK)
    })
    expect(spans.map(({ kind, attributes }) => [kind, attributes['gen_ai.usage.input_tokens']])).deep.equal([
      ['CLIENT', undefined],
      ['CLIENT', 7],
      ['SERVER', 7],
    ])
    expect(spans[2]!.attributes).include({ 'gen_ai.usage.reasoning.output_tokens': 3 })
    expect(spans[2]!.attributes).not.include.keys('gen_ai.usage.output_tokens')
  })

  it('exports no span of an unsampled request, and passes the flag on to the backend', async () => {
    let told: string | undefined
    const spans = await traced({ sample: 0 }, exchange => {
      beginAttempt(exchange, attempt(), WORK)
      told = exchange.upstream.trace?.traceparent
    })
    expect(spans).deep.equal([])
    expect(told).match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })

  it('changes no chunk', async () => {
    const chunk = { text: 'a' } as never
    const { chunks } = await play(trace, {
      options: { endpoint: collecting.url, sample: 1 },
      streaming: true,
      chunks: [chunk],
    })
    expect(chunks).deep.equal([chunk])
  })

  it('accepts the base URL of a collector, with or without its path', async () => {
    await traced({ endpoint: `${collecting.url}/` }, () => {})
    await traced({ endpoint: `${collecting.url}/v1/traces` }, () => {})
    expect(collecting.spans).lengthOf(2)
  })

  it('refuses options without a meaning', async () => {
    const problems = async (options: JsonObject) =>
      (await planOf(JSON.stringify({ base: 'default', options: { trace: options } }))).problems
    expect(await problems({ endpoint: 'http://collector:4318' })).deep.equal([])
    for (const [options, problem] of [
      [{}, /plugins\.options\.trace \('trace'\): options\.endpoint: is required/],
      [{ endpoint: 'collector:4318' }, /options\.endpoint: is not the base URL of a collector, such as/],
      [{ endpoint: 'http://me:secret@collector' }, /OTEL_EXPORTER_OTLP_HEADERS/],
      [{ endpoint: 'http://c', sample: 5 }, /options\.sample/],
      [{ endpoint: 'http://c', parent: 'maybe' }, /options\.parent/],
      [{ endpoint: 'http://c', sampel: 1 }, /options\.sampel: .*sample/],
    ] as const)
      expect((await problems(options)).join('\n')).match(problem)
  })
})
