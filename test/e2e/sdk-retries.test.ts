import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { ACCOUNT, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'

const MESSAGES = [{ role: 'user' as const, content: 'hi' }]

/** Packages that repeat a failed request twice by themselves. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  openai: url =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 2 }).chat.completions.create({
      model: 'm',
      max_tokens: 5,
      messages: MESSAGES,
    }),
  anthropic: url =>
    new Anthropic({ baseURL: url, apiKey: KEY, maxRetries: 2 }).messages.create({
      model: 'm',
      max_tokens: 5,
      messages: MESSAGES,
    }),
}

// docs/api/errors.md#repeating-a-request
describe('packages that repeat failed requests', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  /** A gateway with one account and this plan. */
  const start = async (plan: JsonObject) => {
    backend = await scriptedBackend()
    gateway = await testGateway({
      backends: [backend.url],
      model: { pricing: { input: 0, output: 1_000_000 } },
      more: {
        plans: { p: plan },
        accounts: [{ ...serverlessAccount(ACCOUNT, KEY), plan: 'p' }],
      } as unknown as JsonObject,
    })
  }

  afterEach(async () => {
    await gateway.close()
    await backend.close()
  })

  const failureOf = (pending: Promise<unknown>) =>
    pending.then(
      () => undefined,
      (thrown: unknown) => thrown as { readonly status: number },
    )

  for (const [name, send] of Object.entries(CLIENTS)) {
    const plans: Readonly<Record<string, JsonObject>> = {
      quota: { requests: { limit: 1, window: '1d' } },
      'spend limit': { limits: { budget_cents: { amount: 6, window: '1d' } } },
    }
    for (const [limit, plan] of Object.entries(plans))
      it(`${name} reports a used-up ${limit} at once`, async () => {
        await start(plan)
        backend.script = reply()
        await send(gateway.url)
        expect((await failureOf(send(gateway.url)))?.status).equal(429)
        expect(await gateway.metric('sluiceway_requests_total', 'status="429"'), 'without repetitions').equal(1)
      })

    it(`${name} repeats a request to a model at capacity`, async () => {
      await start({})
      let refusals = 1
      backend.script = (...call) =>
        (refusals-- > 0 ? status(503, { error: { message: 'The request queue is full' } }) : reply())(...call)
      await send(gateway.url)
      expect(backend.requests.length).equal(2)
    })
  }
})
