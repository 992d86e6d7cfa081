import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { JsonObject } from '../../../../../lib/base/json.ts'
import { useProgram } from '../../../../support/programs.ts'

const run = promisify(execFile)
const MODULE = new URL('../../../../../lib/pages/browser/console/try-code.js', import.meta.url)

const BODY = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be "brief".' },
    { role: 'user', content: `Say "it's" $HOME \\ hello\nin ümläuts.` },
  ],
  temperature: 0.2,
  max_tokens: 5,
  reasoning_effort: 'low',
  stream: true,
}

type CodeOf = (origin: string, body: JsonObject) => string

describe('code of the page Try it', () => {
  let codes: Record<'curl' | 'python' | 'javascript' | 'anthropic', CodeOf>
  before(async () => {
    codes = ((await import(MODULE.href)) as { LANGUAGES: typeof codes }).LANGUAGES
  })

  /** What the code sends. The server refuses it, so that no package waits for a stream. */
  async function sentBy(start: (origin: string) => Promise<unknown>) {
    const seen: { readonly request: IncomingMessage; readonly body: JsonObject }[] = []
    const server = createServer(async (request, response) => {
      seen.push({ request, body: (await json(request)) as JsonObject })
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"type":"x","message":"no"}}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).catch(() => {})
    server.close()
    const [{ request, body }] = seen as [(typeof seen)[number]]
    return { path: request.url, key: request.headers.authorization ?? request.headers['x-api-key'], body }
  }

  const env = { ...process.env, API_KEY: 'secret' }
  const inNode = (code: string) => run(process.execPath, ['--input-type=module', '-e', code], { env })

  it('sends the same body with curl', async () => {
    const sent = await sentBy(origin => run('/bin/sh', ['-c', codes.curl(origin, BODY)], { env }))
    expect(sent).deep.equal({ path: '/v1/chat/completions', key: 'Bearer secret', body: BODY })
  })

  it('sends the same body with the package openai', async () => {
    const sent = await sentBy(origin => inNode(codes.javascript(origin, BODY)))
    expect(sent).deep.equal({ path: '/v1/chat/completions', key: 'Bearer secret', body: BODY })
  })

  it('sends it as the Messages API has it with the package of Anthropic', async () => {
    const sent = await sentBy(origin => inNode(codes.anthropic(origin, BODY)))
    const { body, ...rest } = sent
    expect(rest).deep.equal({ path: '/v1/messages', key: 'Bearer secret' })
    const { messages, reasoning_effort: effort, ...same } = BODY
    expect(body).deep.equal({
      ...{ ...same, messages: messages.slice(1), system: 'Be "brief".', output_config: { effort } },
      thinking: { type: 'enabled', budget_tokens: 1024 },
    })
    expect(codes.anthropic('http://x', { model: 'm', messages: [] })).contain('max_tokens: 1024')
    expect(codes.anthropic('http://x', { ...BODY, reasoning_effort: 'none' })).contain('thinking: {"type":"disabled"}')
  })

  describe('in Python', () => {
    const python = useProgram('python3', 'python3')

    it('is valid, with the same body', async () => {
      const code = codes.python('http://127.0.0.1:1', BODY)
      const reader = `import ast, json, sys
call = next(n for n in ast.walk(ast.parse(sys.argv[1])) if isinstance(n, ast.Call) and len(n.keywords) > 2)
print(json.dumps({k.arg: ast.literal_eval(k.value) for k in call.keywords}))`
      const { stdout } = await run(python, ['-c', reader, code])
      expect(JSON.parse(stdout)).deep.equal(BODY)
    })
  })
})
