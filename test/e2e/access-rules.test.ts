import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type Script, status } from '../support/backend.ts'
import { KEY } from '../support/gateway.ts'
import { type Answer, useRules, ZDR_KEY } from '../support/rules.ts'

/** The smallest reply of each route. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/completions': { prompt: 'Hi' },
  '/v1/messages': { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/messages/count_tokens': { messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { input: 'Hi' },
}
const INFERENCE = Object.keys(BODIES).filter(path => !path.endsWith('count_tokens'))
/** A key that is left over from another service. */
const FOREIGN = { 'x-api-key': 'service_other' }
const ZDR = { 'service-zdr': 'required' }

/**
 * Rules of every route: docs/api/README.md#authentication, docs/api/README.md#zero-data-retention,
 * docs/api/errors.md.
 */
describe('every inference route', () => {
  const rules = useRules()
  const ask = (path: string, body: JsonObject = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    rules().ask(path, { model: 'm', ...BODIES[path], ...body }, { headers })

  function expectError({ status, headers, json, error, sent }: Answer, wanted: JsonObject, path: string): void {
    const { status: wantedStatus, ...members } = wanted
    expect(status, path).equal(wantedStatus)
    expect(error, path).include(members)
    expect(sent, 'what the backend was sent').equal(undefined)
    // docs/api/errors.md#envelope
    expect(error.request_id)
      .match(/^req_[0-9a-f]{12}$/)
      .and.equal(headers.get('x-request-id'))
    expect(error.message).a('string').and.not.equal('')
    expect(error.docs_url).equal(`${rules().gateway.url}/docs/errors/${error.code}`)
    if (path.startsWith('/v1/messages')) expect(json.type).equal('error')
    else expect(json).keys('error')
  }

  for (const path of Object.keys(BODIES)) {
    describe(path, () => {
      it('takes the key in either header', async () => {
        const none = { authorization: '' }
        for (const headers of [{}, { ...none, 'x-api-key': KEY }, { 'x-api-key': KEY }, { 'x-api-key': '' }, FOREIGN]) {
          expect((await ask(path, {}, headers)).status).equal(200)
        }
      })

      it('refuses requests without a key and with a wrong one', async () => {
        const missing = { status: 401, type: 'authentication_error', code: 'missing_api_key' }
        const invalid = { status: 401, type: 'authentication_error', code: 'invalid_api_key' }
        for (const headers of [{ authorization: '' }, { authorization: 'Bearer ' }]) {
          expectError(await ask(path, {}, headers), missing, path)
        }
        const wrong = [
          { authorization: 'Bearer service_other' },
          { authorization: `Bearer ${KEY} x` },
          { authorization: `Bearer  ${KEY}` },
          { authorization: 'Bearer __proto__' },
          { authorization: 'Basic eDp5' },
          { authorization: '', 'x-api-key': 'service_other' },
          { authorization: 'Bearer service_other', 'x-api-key': 'service_another' },
        ]
        for (const headers of wrong) expectError(await ask(path, {}, headers), invalid, path)
      })

      it('finds models by id and alias, and by nothing else', async () => {
        expect((await ask(path, { model: 'alias' })).status).equal(200)
        for (const model of ['M', 'nothing', '__proto__', 'up-vllm']) {
          const answer = await ask(path, { model })
          const wanted = { status: 404, type: 'invalid_request_error', code: 'model_not_found', param: 'model' }
          expectError(answer, wanted, path)
          expect(answer.error.message).include('m, sglang').and.not.include('secret')
        }
      })

      it('refuses models that the key is not entitled to', async () => {
        const wanted = { status: 403, type: 'invalid_request_error', code: 'model_not_allowed', param: 'model' }
        expectError(await ask(path, { model: 'secret' }), wanted, path)
      })

      it('refuses bodies that are no JSON object, and the absence of what is required', async () => {
        for (const body of ['', '{', '[]', 'null', '3', '"x"']) {
          const answer = await rules().ask(path, body)
          expectError(answer, { status: 400, type: 'invalid_request_error', code: 'invalid_json_request' }, path)
          expect(answer.error).not.property('param')
        }
        for (const name of ['model', ...Object.keys(BODIES[path]!)]) {
          const { [name]: _, ...body } = { model: 'm', ...BODIES[path] } as JsonObject
          const wanted = { status: 400, code: 'invalid_json_request', param: name }
          expectError(await rules().ask(path, body), wanted, path)
        }
      })

      it('refuses unknown parameters and wrong types by their path', async () => {
        expectError(await ask(path, { bogus: 1 }), { status: 400, code: 'unsupported_parameter', param: 'bogus' }, path)
        const wanted = { status: 422, code: 'schema_validation_failed', param: 'model' }
        for (const model of [3, null, '']) expectError(await ask(path, { model }), wanted, path)
      })

      it('takes one value of Service-ZDR', async () => {
        for (const value of ['Required', 'true', '', 'required, required']) {
          const wanted = { status: 400, type: 'invalid_request_error', code: 'invalid_zdr_header' }
          expectError(await ask(path, {}, { 'service-zdr': value }), wanted, path)
        }
        expect((await ask(path, {}, ZDR)).status).equal(200)
      })

      it('refuses models without ZDR: 400 by header, 422 by policy', async () => {
        const wanted = { type: 'invalid_request_error', code: 'model_zdr_not_supported', param: 'model' }
        const policy = { authorization: `Bearer ${ZDR_KEY}` }
        expectError(await ask(path, { model: 'plain' }, ZDR), { status: 400, ...wanted }, path)
        expectError(await ask(path, { model: 'plain' }, policy), { status: 422, ...wanted }, path)
        expectError(await ask(path, { model: 'plain' }, { ...policy, ...ZDR }), { status: 400, ...wanted }, path)
      })

      it('goes to ZDR backends alone when that is required', async () => {
        for (const headers of [ZDR, { authorization: `Bearer ${ZDR_KEY}` }]) {
          for (let i = 0; i < 6; i++)
            expect((await ask(path, { model: 'partition' }, headers)).sent?.model).equal('up-zdr')
        }
      })

      it('never falls back to a backend without ZDR', async () => {
        const dead = status(502, '<html>')
        const script: Script = (res, request, req) =>
          (request.body.model === 'up-zdr' ? dead : reply())(res, request, req)
        const body = { model: 'partition', ...BODIES[path] }
        await rules().ask(path, body, { script, headers: ZDR })
        expect(new Set(rules().backend.requests.map(({ body }) => body.model))).deep.equal(new Set(['up-zdr']))
        await ask(path, { model: 'partition' }, ZDR)
      })

      it("echoes a client's request id, with its prefix", async () => {
        const { status, headers } = await ask(path, {}, { 'x-request-id': 'abc.DEF-1_2' })
        expect({ status, id: headers.get('x-request-id') }).deep.equal({ status: 200, id: 'client_abc.DEF-1_2' })
        const failed = await ask(path, { model: 'nothing' }, { 'x-request-id': 'abc' })
        expect(failed.headers.get('x-request-id')).equal('client_abc')
        expect(failed.error.request_id).equal('client_abc')
        for (const id of ['a b', 'é', 'x'.repeat(129)]) {
          const own = await ask(path, {}, { 'x-request-id': Buffer.from(id).toString('latin1') })
          expect(own.headers.get('x-request-id')).match(/^req_[0-9a-f]{12}$/)
        }
      })

      it('ignores request tags, whatever they say', async () => {
        expect((await ask(path, {}, { 'service-request-tag': 'NO TAG,,' })).status).equal(200)
      })
    })
  }

  describe('a backend that fails', () => {
    const failures: readonly (readonly [string, Parameters<typeof status>, JsonObject])[] = [
      ['401', [401, { error: { message: 'bad key sk-123' } }], { status: 502, code: 'backend_http_error' }],
      ['404', [404, { error: { message: 'no model' } }], { status: 502, code: 'backend_http_error' }],
      ['500', [500, ''], { status: 502, code: 'backend_http_error', type: 'server_error' }],
      ['a page of HTML', [502, '<html>'], { status: 502, code: 'backend_http_error' }],
      [
        '429',
        [429, { error: { message: 'slow' } }],
        { status: 429, code: 'backend_overloaded', type: 'rate_limit_error' },
      ],
      [
        'a full queue',
        [503, { object: 'error', message: 'The request queue is full.', code: 503 }],
        { status: 429, code: 'backend_at_capacity', type: 'rate_limit_error' },
      ],
      [
        'a refusal',
        [400, { error: { message: 'top_k must be -1 or at least 1', param: 'top_k', code: 400 } }],
        { status: 400, code: 'model_request_rejected', type: 'invalid_request_error', param: 'top_k' },
      ],
    ]
    for (const [what, [code, body], wanted] of failures) {
      it(`with ${what} gives the same on every route`, async () => {
        for (const path of INFERENCE) {
          for (const stream of [false, true]) {
            const headers = { 'retry-after': '7' }
            const question = { script: status(code, body, headers) }
            const answer = await rules().ask(path, { model: 'm', ...BODIES[path], stream }, question)
            const { status: wantedStatus, ...members } = wanted
            expect(answer.status, path).equal(wantedStatus)
            expect(answer.error, path).include(members)
            expect(JSON.stringify(answer.error)).not.include('sk-123')
            if (answer.status === 502) expect(answer.error.model).equal('m')
            if (answer.status === 429) {
              expect(answer.headers.get('retry-after')).equal('7')
              expect(answer.headers.get('ratelimit-remaining')).equal('0')
              expect(Number(answer.headers.get('ratelimit-reset'))).least(1)
              expect(answer.headers.has('ratelimit-limit')).equal(true)
            }
            // Five failures in a row would eject the only backend.
            expect((await rules().ask(path, { model: 'm', ...BODIES[path] }, { script: reply() })).status).equal(200)
          }
        }
      })
    }
  })

  describe('around the routes', () => {
    const get = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(rules().gateway.url + path, init)
      return { response, text: await response.text() }
    }

    it('every docs_url resolves here', async () => {
      for (const code of ['schema_validation_failed', 'model_not_found', 'backend_http_error', 'http_404']) {
        const { response, text } = await get(`/docs/errors/${code}`)
        expect(response.status).equal(200)
        expect(text).include(code)
      }
    })

    it('unknown routes and methods are refused in the envelope', async () => {
      const unknown = await get('/v1/nothing')
      expect(unknown.response.status).equal(404)
      expect(JSON.parse(unknown.text).error).include({ code: 'http_404', type: 'invalid_request_error' })
      const twice = await get('/v1/v1/chat/completions')
      expect(JSON.parse(twice.text).error.message).include('/v1 twice')
      const method = await get('/v1/chat/completions')
      expect(method.response.status).equal(405)
      expect(method.response.headers.get('allow')).equal('POST')
      expect(JSON.parse(method.text).error).include({ code: 'http_405', type: 'invalid_request_error' })
      // There is no route to fetch a stored response by ID.
      expect((await get('/v1/responses/resp_1')).response.status).equal(404)
      for (const { response } of [unknown, twice, method]) {
        expect(response.headers.get('x-request-id')).match(/^req_[0-9a-f]{12}$/)
      }
    })

    it('probes of clients are answered', async () => {
      for (const method of ['GET', 'HEAD']) expect((await get('/', { method })).response.status).equal(200)
    })

    it('the model list holds what the key may use, with cards, whatever the query', async () => {
      const { response, text } = await get('/v1/models?limit=1000', { headers: { authorization: `Bearer ${KEY}` } })
      expect(response.status).equal(200)
      const { object, data } = JSON.parse(text) as { object: string; data: JsonObject[] }
      expect(object).equal('list')
      expect(data.map(({ id }) => id)).deep.equal([
        'm',
        'sglang',
        'llama',
        'plain-openai',
        'always',
        'fixed',
        'plain',
        'whole-tools',
        'partition',
        'big',
      ])
      expect(data[0]).deep.include({ object: 'model', owned_by: 'service', max_model_len: 8192, zdr_supported: true })
      expect(data[0]).nested.include({
        'service.capabilities.vision': true,
        'service.capabilities.tools': true,
        'service.capabilities.reasoning': true,
        'service.capabilities.reasoning_effort.default': 'medium',
        'service.capabilities.chat_completions.n': true,
        'service.capabilities.chat_completions.grammar': true,
        'service.capabilities.chat_completions.regex': true,
        'service.capabilities.messages.vision': true,
      })
      expect(data.find(({ id }) => id === 'partition')).nested.include({
        zdr_supported: true,
        'service.capabilities.chat_completions.regex': false,
        'service.capabilities.zdr.regex': true,
      })
      expect(data.find(({ id }) => id === 'plain')?.zdr_supported ?? false).equal(false)
      expect((await get('/v1/models')).response.status).equal(401)
    })
  })
})
