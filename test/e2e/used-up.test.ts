/** The switch `errors.used_up`, on every API (docs/api/errors.md#repeating-a-request). */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]
const ROUTES: Readonly<Record<string, JsonObject>> = {
  '/v1/chat/completions': { model: 'm', messages: MESSAGES },
  '/v1/completions': { model: 'm', prompt: 'Hi' },
  '/v1/messages': { model: 'm', max_tokens: 9, messages: MESSAGES },
  '/v1/responses': { model: 'm', input: 'Hi' },
}

describe('limits that are used up', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend(reply('Hello'))
    const of = (digit: number, members: JsonObject) => {
      const secrets = [`service_quota_${digit}`]
      return { ...serverlessAccount(`00000000-0000-4000-8000-00000000000${digit}`, ...secrets), ...members }
    }
    const more = {
      plans: {
        quota: { requests: { limit: 1, window: '365d' } },
        budget: { limits: { budget_cents: { amount: 0.000001, window: '365d' } } },
      },
      accounts: [
        of(1, { plan: 'quota' }),
        of(2, { plan: 'quota', client_profile: 'agents' }),
        of(3, { plan: 'quota', client_profile: 'agents', errors: { used_up: 429 } }),
        of(4, { plan: 'budget' }),
        of(5, { plan: 'budget', client_profile: 'agents' }),
      ],
    }
    const model = { pricing: { input: 100, cached_input: 100, output: 100 } }
    gateway = await testGateway({ backends: [backend.url], model, more })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const ask = (digit: number, path: string, body: JsonObject) =>
    gateway.post(path, body, { headers: { authorization: `Bearer service_quota_${digit}` } })

  for (const [digit, status, code] of [
    [1, 429, 'request_quota_exceeded'],
    [2, 402, 'request_quota_exceeded'],
    [3, 429, 'request_quota_exceeded'],
    [4, 429, 'rate_limit_exceeded'],
    [5, 402, 'rate_limit_exceeded'],
  ] as const) {
    it(`refuse with ${status} ${code} (${digit})`, async () => {
      if (code === 'request_quota_exceeded') await (await ask(digit, ...ROUTES_OF_CHAT)).text()
      for (const [path, body] of Object.entries(ROUTES)) {
        const response = await ask(digit, path, body)
        const { error } = (await response.json()) as { error: JsonObject }
        expect(error, path).include({ code, type: 'rate_limit_error' })
        expect(response.status, path).equal(status)
        expect(response.headers.has('retry-after'), path).equal(status === 429)
        expect(response.headers.get('ratelimit-reset'), path).match(/^\d+$/)
        expect(response.headers.get('x-should-retry'), path).equal('false')
      }
    })
  }
})

const ROUTES_OF_CHAT = ['/v1/chat/completions', { model: 'm', messages: MESSAGES }] as const
