import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { Cli } from '../support/cli.ts'
import { ACCOUNT, configFile, KEY } from '../support/gateway.ts'
import { hosted } from '../support/hosted.ts'

/** The name of everything that a client may name. Plain letters, so that a backend's message about it is passed on. */
const SECRET = 'zebrafish'
const CLIENT_ID = 'walrus.17'
const POLICY_KEY = 'service_policy_key'
const DEDICATED_KEY = 'service_dedicated_key'

const PARAMETERS = { type: 'object', properties: {} }
const USER = { role: 'user', content: 'Hi' }

interface Case {
  readonly path: string
  readonly body: JsonObject
  readonly code: string
  readonly headers?: Record<string, string>
}

const fn = (name: string, parameters: Json = PARAMETERS) => ({ type: 'function', function: { name, parameters } })
const chat = (more: JsonObject, code: string): Case => ({
  path: '/v1/chat/completions',
  body: { model: 'm', messages: [USER], ...more },
  code,
})
const messages = (more: JsonObject, code: string): Case => ({
  path: '/v1/messages',
  body: { model: 'm', max_tokens: 9, messages: [USER], ...more },
  code,
})
const responses = (more: JsonObject, code: string): Case => ({
  path: '/v1/responses',
  body: { model: 'm', input: 'Hi', ...more },
  code,
})
const text = (more: JsonObject, code: string): Case => ({
  path: '/v1/completions',
  body: { model: 'm', prompt: 'Hi', ...more },
  code,
})
const orphan = { role: 'tool', tool_call_id: SECRET, content: 'x' }
const result = { type: 'tool_result', tool_use_id: SECRET, content: 'x' }
const output = { type: 'function_call_output', call_id: SECRET, output: 'x' }
const tool = (name: string, input_schema: Json = PARAMETERS) => ({ name, input_schema })
const flat = (name: string, parameters: Json = PARAMETERS) => ({ type: 'function', name, parameters })

/** Names in bodies that refusals repeat, by format. */
const CASES: readonly Case[] = [
  chat({ [SECRET]: 1 }, 'unsupported_parameter'),
  text({ [SECRET]: 1 }, 'unsupported_parameter'),
  messages({ [SECRET]: 1 }, 'unsupported_parameter'),
  responses({ [SECRET]: 1 }, 'unsupported_parameter'),
  chat({ tools: [{ ...fn('f'), [SECRET]: 1 }] }, 'unsupported_parameter'),
  chat({ logit_bias: { [SECRET]: 1 } }, 'schema_validation_failed'),
  text({ response_format: { type: 'grammar', grammar: 'x', [SECRET]: 1 } }, 'unsupported_parameter'),
  chat({ model: SECRET }, 'model_not_found'),
  text({ model: SECRET }, 'model_not_found'),
  messages({ model: SECRET }, 'model_not_found'),
  responses({ model: SECRET }, 'model_not_found'),
  { path: '/v1/embeddings', body: { model: SECRET, input: 'Hi' }, code: 'model_not_found' },
  chat({ model: SECRET, messages: [{ role: 'user', content: [{ type: 'file' }] }] }, 'unsupported_feature'),
  messages({ model: SECRET, messages: [{ role: 'user', content: [{ type: 'document' }] }] }, 'unsupported_feature'),
  responses(
    { model: SECRET, input: [{ type: 'message', role: 'user', content: [{ type: 'input_file' }] }] },
    'unsupported_feature',
  ),
  chat({ tools: [{ type: SECRET }] }, 'unsupported_tool_type'),
  responses({ tools: [{ type: SECRET }] }, 'invalid_tool'),
  responses({ input: [{ type: SECRET }] }, 'unsupported_input_item'),
  chat({ tools: [fn(SECRET), fn(SECRET)] }, 'duplicate_tool_name'),
  messages({ tools: [tool(SECRET), tool(SECRET)] }, 'duplicate_tool_name'),
  responses({ tools: [flat(SECRET), flat(SECRET)] }, 'duplicate_tool_name'),
  chat({ tools: [fn(SECRET, { type: 'object' })] }, 'tool_schema_invalid'),
  messages({ tools: [tool(SECRET, { type: 'object' })] }, 'tool_schema_invalid'),
  responses({ tools: [flat(SECRET, { type: 'object' })] }, 'tool_schema_invalid'),
  chat({ tools: [fn('f')], tool_choice: { type: 'function', function: { name: SECRET } } }, 'tool_choice_unknown_tool'),
  messages({ tools: [tool('f')], tool_choice: { type: 'tool', name: SECRET } }, 'tool_choice_unknown_tool'),
  responses({ tools: [flat('f')], tool_choice: { type: 'function', name: SECRET } }, 'tool_choice_unknown_tool'),
  chat({ messages: [USER, orphan] }, 'orphan_tool_message'),
  messages({ messages: [{ role: 'user', content: [result] }] }, 'orphan_tool_message'),
  responses({ input: [output] }, 'orphan_tool_message'),
  chat({ response_format: { type: SECRET } }, 'unsupported_response_format'),
  text({ response_format: { type: SECRET } }, 'unsupported_response_format'),
  responses({ text: { format: { type: SECRET } } }, 'unsupported_response_format'),
  { ...chat({}, 'invalid_request_tag'), headers: { host: 'acme-1.test', 'service-request-tag': `${SECRET}!` } },
  { ...chat({}, 'http_415'), headers: { 'content-encoding': SECRET } },
]

/** docs/DESIGN.md#zero-data-retention. */
describe('names that clients choose, under zero data retention', () => {
  let dir: string
  let backend: ScriptedBackend
  let cli: Cli
  let url: string
  let adminUrl: string

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    backend = await scriptedBackend()
    const chat_completions = { n: true, tools: true, streaming_tools: true, structured_outputs: true, grammar: true }
    const backends = [{ url: backend.url, model: 'upstream-m', engine: 'vllm', zdr: true }]
    const config = configFile(dir, {
      backends: [],
      model: { backends, capabilities: { tools: true, chat_completions } } as unknown as JsonObject,
      more: { log: { level: 'trace' }, endpoints: [{ host: 'acme-1.test', models: ['m'] }] },
    })
    const [account] = config.accounts as JsonObject[]
    const keys = [
      ...(account!.keys as JsonObject[]),
      { id: 'k3', user: 'alice@test', kind: 'dedicated', secret: DEDICATED_KEY, endpoints: ['acme-1.test'] },
    ]
    const policy = {
      ...account,
      id: ACCOUNT.replace(/.$/, '0'),
      name: 'policy',
      zdr_required: true,
      members: [{ user: 'bob@test', role: 'owner' }],
      keys: [{ id: 'k2', user: 'bob@test', kind: 'serverless', secret: POLICY_KEY }],
    }
    const file = join(dir, 'config.json')
    writeFileSync(file, JSON.stringify({ ...config, accounts: [{ ...account, keys }, policy] } satisfies JsonObject))
    cli = new Cli(['serve', '--config', file], { cwd: dir })
    url = (await cli.match(/^Gateway +(http:\S+)\/v1$/m))[1]!
    adminUrl = (await cli.match(/^Admin +(http:\S+)/m))[1]!
  })

  after(async () => {
    cli?.child.kill('SIGKILL')
    await backend?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('are in the response, and in no record, log line, metric or file', async () => {
    let sent = 0
    const send = async ({ path, body, code, headers = {} }: Case, own: Record<string, string>) => {
      sent++
      const { host = '127.0.0.1', ...others } = headers
      const all = { ...own, ...others, 'x-request-id': CLIENT_ID }
      const answer = await hosted(url, { host, path, headers: all, body: JSON.stringify(body) })
      expect(answer.text, `${path} ${JSON.stringify(body)}`).contain(`"code":"${code}"`)
      return answer.text
    }
    const ways = [
      { authorization: `Bearer ${KEY}`, 'service-zdr': 'required' },
      { authorization: `Bearer ${POLICY_KEY}` },
    ]
    const unnamed: string[] = []
    for (const one of CASES) {
      for (const way of ways) {
        const dedicated = { authorization: `Bearer ${DEDICATED_KEY}`, 'service-zdr': 'required' }
        const own = one.headers?.host === undefined ? way : dedicated
        if (!(await send(one, own)).includes(SECRET)) unnamed.push(JSON.stringify(one))
      }
    }
    expect(unnamed, 'the client reads the name').deep.equal([])

    // Messages of a backend about a request, in which a name is a plain word.
    backend.script = status(400, { error: { message: `Tool ${SECRET} is not valid`, type: 'BadRequestError' } })
    for (const one of [chat, messages, responses, text]) {
      expect(await send(one({}, 'model_request_rejected'), ways[0]!)).contain(SECRET)
    }
    // Only the client is told the names of ignored members.
    backend.script = reply('Hello')
    const body = JSON.stringify({ model: 'm', messages: [{ ...USER, [SECRET]: 1 }] })
    const init = { method: 'POST', headers: { ...ways[0], 'x-request-id': CLIENT_ID }, body }
    const ignored = await fetch(`${url}/v1/chat/completions`, init)
    sent++
    expect(ignored.headers.get('x-service-ignored')).equal(`messages.0.${SECRET}`)
    expect(ignored.headers.get('x-request-id')).equal(`client_${CLIENT_ID}`)
    await ignored.text()

    const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
    cli.child.kill('SIGTERM')
    const { out, err, code } = await cli.ended
    expect(code).equal(0)
    const lines = out.split('\n').filter(line => line.includes('"msg":"request"'))
    expect(lines).lengthOf(sent)
    expect(out).contain('messages.0.<9 characters>')
    const files = globSync('**/*', { cwd: dir }).filter(file => statSync(join(dir, file)).isFile())
    const written = [metrics, out, err, ...files.map(file => readFileSync(join(dir, file), 'latin1'))]
    const store = readFileSync(join(dir, 'store.db'), 'latin1')
    expect(store, 'records have lengths in their place').contain("Tool '<9 characters>'").and.contain('<9 characters>')
    for (const [index, each] of written.entries()) {
      for (const name of [SECRET, CLIENT_ID]) {
        const at = each.indexOf(name)
        expect(at < 0 ? '' : `${index}: ${each.slice(Math.max(0, at - 200), at + 50)}`).equal('')
      }
    }
  })
})
