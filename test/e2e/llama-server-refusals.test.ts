/**
 * Refusals of a real llama-server are the fault of the request (docs/DESIGN.md#ejection). One account sends
 * conversations for which the chat template raises an error, and another one is served meanwhile. Runs if LLAMA_SERVER
 * is the path of the program.
 */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { ACCOUNT, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'
import { type LlamaServer, startLlamaServer } from '../support/llama-server.ts'

const program = process.env.LLAMA_SERVER

const OTHER_KEY = 'service_other_secret'
const HELLO = { role: 'user', content: 'Hi' }
/** A check that templates of several models have. */
const TEMPLATE = `
{%- for message in messages -%}
  {%- if (message.role == 'user') != (loop.index0 % 2 == 0) -%}
    {{- raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') -}}
  {%- endif -%}
  {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`

describe('a real llama-server whose chat template raises', () => {
  if (program === undefined) {
    it('runs where the environment variable LLAMA_SERVER is the path of the program')
    return
  }
  let server: LlamaServer
  let gateway: TestGateway

  before(async () => {
    server = await startLlamaServer(program, TEMPLATE)
    gateway = await testGateway({
      backends: [],
      model: { backends: [{ url: `${server.url}/v1`, model: 'tiny', engine: 'llama.cpp' }] },
      more: { accounts: [serverlessAccount(ACCOUNT, KEY), serverlessAccount(ACCOUNT.replace(/^./, 'a'), OTHER_KEY)] },
    })
  })

  after(async () => {
    await gateway?.close()
    await server?.close()
  })

  async function chat(key: string, body: JsonObject): Promise<readonly [status: number, code: unknown]> {
    const headers = { headers: { authorization: `Bearer ${key}` } }
    const response = await gateway.post('/v1/chat/completions', { model: 'm', max_tokens: 4, ...body }, headers)
    const { error } = (await response.json().catch(() => ({}))) as { error?: JsonObject }
    return [response.status, error?.code]
  }

  it('refuses five requests of one account, and serves everybody', async () => {
    // One after the other, without a served request between them.
    for (let turn = 0; turn < 5; turn++) {
      expect(await chat(KEY, { messages: [HELLO, HELLO], stream: turn % 2 === 0 })).deep.equal([
        400,
        'model_request_rejected',
      ])
    }
    for (let turn = 0; turn < 5; turn++)
      expect(await chat(OTHER_KEY, { messages: [HELLO] })).deep.equal([200, undefined])
    expect(await chat(KEY, { messages: [HELLO] })).deep.equal([200, undefined])
    expect(await gateway.metric('sluiceway_backend_ejections_total')).equal(0)
  })
})
