import { expect } from 'chai'
import { pino } from 'pino'
import type { JsonObject } from '../../../lib/base/json.ts'
import { JsonBody } from '../../../lib/body/index.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { finish } from '../../../lib/core/hooks.ts'
import type { Outcome } from '../../../lib/core/plugin.ts'
import { type AttemptFacts, failure, type GatewayError } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { batchLine, chat, ignored, key, target, usage, zdr } from '../../../plugins/slots.ts'
import requestLog from '../../../plugins/telemetry/request-log/index.ts'
import { chatRequest, model, targetOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'
import { keyOf } from '../../support/key.ts'
import { usageOf } from '../../support/reply-usage.ts'

const ATTEMPT = {} as AttemptFacts

const CANARY = 'the-prompt-says-this'

/** The line of an exchange that ends 40 ms after it began. */
async function logged(
  place: Place,
  before: (exchange: Exchange, clock: ManualClock) => void,
  outcome: Outcome = 'done',
  error?: GatewayError,
): Promise<{ readonly line: Record<string, unknown>; readonly text: string }> {
  const lines: string[] = []
  const log = pino({ level: 'debug', base: null, timestamp: false }, { write: line => void lines.push(line) })
  const clock = new ManualClock()
  const hooks = await requestLog.setup({}, testServices([], { log }))
  const { exchange } = notedExchange({ ...place, clock, hooks: [hooks] })
  before(exchange, clock)
  clock.advance(40.4)
  finish(exchange, outcome, error)
  expect(lines).lengthOf(1)
  const line = JSON.parse(lines[0]!) as Record<string, unknown>
  // Both are generated for each exchange.
  expect(line.id).equal(exchange.id)
  expect(line.request_id).equal(exchange.logId)
  delete line.id
  delete line.request_id
  return { line, text: lines[0]! }
}

describe('request-log', () => {
  it('logs a line of a batch at debug, also if it fails', async () => {
    const [DEBUG, WARN] = [20, 40]
    const failed = failure('backend_http_error', { model: 'm' })
    const of = (surface: 'batch' | 'gateway') =>
      logged({ surface }, exchange => exchange.set(batchLine, own), 'failed', failed).then(({ line }) => line)
    const own = { batch: 'batch_1', line: 1, priceFactor: 1, keep: () => {}, kept: Promise.resolve(true) }
    expect(await of('batch')).include({ level: DEBUG, surface: 'batch', batch: 'batch_1' })
    expect(await of('gateway')).include({ level: WARN })
  })

  it('logs one line of facts for a whole response', async () => {
    const { line } = await logged({}, (exchange, clock) => {
      exchange.status = 200
      exchange.streaming = true
      exchange.upstream.backend = 'http://10.0.0.1:8000/v1'
      exchange.upstream.startedMono = clock.monotonic()
      exchange.set(key, keyOf())
      exchange.set(target, targetOf(model()))
      exchange.set(usage, usageOf({ inputTokens: 5, outputTokens: 2 }))
    })
    expect(line).deep.equal({
      level: 30,
      route: 'chat',
      surface: 'gateway',
      status: 200,
      outcome: 'done',
      account: keyOf().account.id,
      account_name: 'acme',
      key: 'k1',
      model: 'm',
      backend: 'http://10.0.0.1:8000/v1',
      stream: true,
      duration_ms: 40,
      upstream_ms: 40,
      input_tokens: 5,
      output_tokens: 2,
      msg: 'request',
    })
  })

  it('logs the known members of a refusal', async () => {
    const place = { route: 'messages', surface: 'dedicated' } as const
    const { line } = await logged(
      place,
      exchange => {
        exchange.status = 401
      },
      'failed',
      failure('invalid_api_key', {}),
    )
    expect(line).deep.equal({
      level: 30,
      route: 'messages',
      surface: 'dedicated',
      endpoint: 'acme-1.test',
      status: 401,
      outcome: 'failed',
      code: 'invalid_api_key',
      stream: false,
      duration_ms: 40,
      msg: 'request',
    })
  })

  it('warns of failures of this side, with the status and the words of the backend', async () => {
    const failed = (exchange: Exchange) => {
      exchange.status = 502
      exchange.upstream.attempts.push(ATTEMPT, ATTEMPT)
      exchange.upstream.status = 404
      exchange.upstream.error = 'status 404: The model does not exist.'
    }
    const error = failure('backend_http_error', { model: 'm' })
    const { line } = await logged({}, failed, 'failed', error)
    expect(line).include({
      level: 40,
      status: 502,
      attempts: 2,
      upstream_status: 404,
      upstream_error: 'status 404: The model does not exist.',
    })
    const ok = (exchange: Exchange) => {
      exchange.status = 200
    }
    // A stream that has broken had status 200.
    const broke = await logged({}, ok, 'failed', error)
    expect(broke.line).include({ level: 40, status: 200 })
    expect(broke.line).not.have.any.keys('attempts', 'upstream_status', 'upstream_error')
  })

  it('logs which members were ignored', async () => {
    const { line } = await logged({}, exchange => exchange.set(ignored, { count: 9, paths: ['messages.0.weight'] }))
    expect(line).deep.include({ ignored: ['messages.0.weight'], ignored_count: 9 })
  })

  it("logs the client's own id, but not under zero data retention", async () => {
    const headers = { 'x-request-id': CANARY }
    const idOf = async (required: 'policy' | null) => {
      const { text } = await logged({ headers }, exchange => exchange.set(zdr, required))
      return (JSON.parse(text) as JsonObject).request_id
    }
    expect(await idOf(null)).equal(`client_${CANARY}`)
    expect(await idOf('policy')).match(/^req_[0-9a-f]{12}$/)
  })

  it("logs the id of the client's trace, but not under zero data retention, nor an invalid one", async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736'
    const idOf = async (traceparent: string, required: 'policy' | null) => {
      const { line } = await logged({ headers: { traceparent } }, exchange => exchange.set(zdr, required))
      return line.trace_id
    }
    expect(await idOf(`00-${id}-00f067aa0ba902b7-01`, null)).equal(id)
    expect(await idOf(`00-${id}-00f067aa0ba902b7-01`, 'policy')).equal(undefined)
    expect(await idOf(`00-${id}-00f067aa0ba902b7`, null)).equal(undefined)
  })

  it('logs a client that disconnected', async () => {
    const { line } = await logged({}, () => {}, 'client_gone')
    expect(line).include({ status: 499, outcome: 'client_gone' })
  })

  it('logs no prompt, no reply and no error text', async () => {
    const headers = {
      authorization: `Bearer ${CANARY}`,
      'x-api-key': CANARY,
      cookie: CANARY,
      'x-forwarded-for': CANARY,
    }
    const error = failure(
      'model_request_rejected',
      { problem: CANARY },
      { cause: new Error(CANARY), extra: { [CANARY]: CANARY }, param: CANARY },
    )
    const { text } = await logged(
      { headers },
      exchange => {
        exchange.requestBody = new JsonBody({ model: CANARY, messages: [{ role: 'user', content: CANARY }] })
        exchange.set(chat, chatRequest({ model: CANARY, messages: [{ role: 'user', content: CANARY }] }))
        exchange.set(target, targetOf(model()))
      },
      'failed',
      error,
    )
    expect(text).not.contain(CANARY)
  })
})
