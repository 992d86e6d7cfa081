import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events, type Script, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'

const json =
  (body: JsonObject): Script =>
  res =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

interface Answer {
  readonly choices: readonly [JsonObject]
  readonly prompt_token_ids?: readonly number[]
  readonly error: JsonObject
}

async function answered(gateway: TestGateway, path: string, body: JsonObject): Promise<Answer> {
  return (await (await gateway.post(path, { model: 'm', ...body })).json()) as Answer
}

/** docs/ENGINES.md#members-for-the-engine, from outside. */
describe('members for the engine', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let plain: TestGateway
  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url], model: { passthrough: ['vllm'] } })
    plain = await testGateway({ backends: [backend.url] })
  })
  after(async () => {
    await gateway.close()
    await plain.close()
    await backend.close()
  })

  const messages = [{ role: 'user', content: 'Hi' }]
  const long = 'x'.repeat(20_000)
  const members: JsonObject = { return_token_ids: true, stop_token_ids: [7], documents: [{ text: long }] }

  it('reach it, long texts included, and token ids come back', async () => {
    backend.script = events(
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], prompt_token_ids: [1, 2] },
      { choices: [{ index: 0, delta: { content: 'Yes' }, token_ids: [3] }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop', token_ids: [4] }] },
    )
    const streamed = await gateway.post('/v1/chat/completions', { model: 'alias', messages, stream: true, ...members })
    const chunks = (await streamed.text()).split('\n\n').filter(text => text.startsWith('data: {'))
    const [first, second, third] = chunks.map(text => JSON.parse(text.slice(6)))
    expect(backend.requests.at(-1)!.body).deep.include(members)
    expect(first.prompt_token_ids).deep.equal([1, 2])
    expect([second, third].map(chunk => chunk.choices[0].token_ids)).deep.equal([[3], [4]])
  })

  it('work in whole replies of both routes', async () => {
    const ends = { index: 0, finish_reason: 'stop', token_ids: [3, 4] }
    backend.script = json({
      choices: [{ ...ends, message: { role: 'assistant', content: 'Yes' } }],
      prompt_token_ids: [1],
    })
    const chat = await answered(gateway, '/v1/chat/completions', { messages, ...members })
    expect([chat.prompt_token_ids, chat.choices[0].token_ids]).deep.equal([[1], [3, 4]])
    backend.script = json({ choices: [{ ...ends, text: 'Yes', prompt_token_ids: [1] }] })
    const text = await answered(gateway, '/v1/completions', { prompt: 'a', return_token_ids: true })
    expect(text.choices[0]).deep.include({ prompt_token_ids: [1], token_ids: [3, 4] })
  })

  it('are refused by name otherwise, on other routes, and if the engine does not know them', async () => {
    const cases: readonly (readonly [TestGateway, string, JsonObject, string])[] = [
      [plain, '/v1/chat/completions', { messages, stop_token_ids: [7] }, 'stop_token_ids'],
      [plain, '/v1/chat/completions', { messages, chat_template_kwargs: { a: 1 } }, 'chat_template_kwargs.a'],
      [gateway, '/v1/chat/completions', { messages, priority: 1 }, 'priority'],
      [gateway, '/v1/chat/completions', { messages, ebnf: 'a' }, 'ebnf'],
      [gateway, '/v1/messages', { messages, max_tokens: 1, stop_token_ids: [7] }, 'stop_token_ids'],
      [gateway, '/v1/responses', { input: 'a', stop_token_ids: [7] }, 'stop_token_ids'],
    ]
    for (const [to, path, body, param] of cases) {
      const { error } = await answered(to, path, body)
      expect([error.code, error.param], path).deep.equal(['unsupported_parameter', param])
    }
  })
})
