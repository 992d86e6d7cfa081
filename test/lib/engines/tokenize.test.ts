import { expect } from 'chai'
import type { ChatRequest } from '../../../lib/canonical/request.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import type { BackendProfile, Engine } from '../../../lib/config/profile.ts'
import { Tokenizer } from '../../../lib/engines/tokenize.ts'
import { type ScriptedBackend, scriptedBackend, status } from '../../support/backend.ts'
import { backendConfig, backendWith } from '../../support/backend-config.ts'
import { chatRequest, model, targetOf, tool } from '../../support/canonical.ts'

const NEVER = new AbortController().signal
const first = () => 0

describe('counting tokens on a backend', () => {
  const open: { close(): void | Promise<void> }[] = []
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })

  async function backend(
    script = status(200, { count: 7, max_model_len: 100, tokens: [1] }),
  ): Promise<ScriptedBackend> {
    const started = await scriptedBackend(script)
    open.push(started)
    return started
  }

  function tokenizer(timeoutMs = 30_000): Tokenizer {
    const made = new Tokenizer(timeoutMs, ({ backends }) => backends, first)
    open.push(made)
    return made
  }

  function at({ url }: ScriptedBackend, engine: Engine = 'vllm', profile: Partial<BackendProfile> = {}): BackendConfig {
    return { ...backendWith(profile, engine), url }
  }

  function count(
    backends: readonly BackendConfig[],
    request: ChatRequest = chatRequest(),
    zdr = false,
    signal = NEVER,
  ) {
    const config = model({ reasoning: true }, { backends })
    return tokenizer().count(request, targetOf(config, zdr), signal)
  }

  it('sends vLLM what its template reads, and nothing else of the request', async () => {
    const server = await backend()
    const request = chatRequest({
      tools: [tool()],
      toolChoice: 'auto',
      maxTokens: 9,
      stream: true,
      sampling: { temperature: 0 },
      reasoning: { enabled: true, effort: 'high', param: 'thinking', byDefault: 'off' },
    })
    const config = { ...at(server), api_key: 'secret', headers: { 'X-Team': 'a' } }
    expect(await count([config], request)).equal(7)
    const [seen] = server.requests
    expect(seen).include({ method: 'POST', path: '/tokenize' })
    expect(seen?.headers).include({ authorization: 'Bearer secret', 'x-team': 'a', 'accept-encoding': 'identity' })
    expect(seen?.body).deep.equal({
      model: 'upstream-model',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'auto',
      reasoning_effort: 'high',
      chat_template_kwargs: { reasoning_effort: 'high', enable_thinking: true },
      add_generation_prompt: true,
      add_special_tokens: false,
    })
  })

  it('finds the route without the version prefix, below the base path', async () => {
    const server = await backend()
    await count([{ ...at(server), url: server.url.replace('/v1', '/pool/a/v1/') }])
    expect(server.requests[0]?.path).equal('/pool/a/tokenize')
  })

  it('asks llama.cpp in two steps', async () => {
    const server = await backend((res, { path }) => {
      res.end(JSON.stringify(path === '/apply-template' ? { prompt: '<user>Hello' } : { tokens: [5, 6, 7] }))
    })
    expect(await count([at(server, 'llama.cpp')])).equal(3)
    expect(server.requests.map(({ path }) => path)).deep.equal(['/apply-template', '/tokenize'])
    expect(server.requests[0]?.body).include.keys('messages', 'chat_template_kwargs')
    const content = { content: '<user>Hello', add_special: true, parse_special: true }
    expect(server.requests[1]?.body).deep.equal({ model: 'upstream-model', ...content })
  })

  it('asks again if a kept connection has been closed', async () => {
    const server = await backend((res, { path }) => {
      const { socket } = res
      // The second request finds the connection half-closed, or closed while it is being sent.
      res.end(JSON.stringify(path === '/apply-template' ? { prompt: 'Hello' } : { tokens: [5, 6] }))
      res.on('finish', () => setImmediate(() => socket?.destroy()))
    })
    for (let i = 0; i < 5; i++) expect(await count([at(server, 'llama.cpp')])).equal(2)
  })

  it('asks no backend whose answer would not be exact', async () => {
    const server = await backend()
    expect(await count([at(server, 'sglang', { tokenize: 'prompt' }), at(server, 'openai')])).equal(undefined)
    expect(server.requests).deep.equal([])
    expect(await count([at(server, 'sglang')])).equal(7)
  })

  it('asks only backends with zero data retention if required, and none with weight 0', async () => {
    const [plain, zdr] = [await backend(), await backend()]
    const backends = [at(plain), { ...at(zdr), zdr: true }, { ...at(plain), zdr: true, weight: 0 }]
    expect(await count(backends, chatRequest(), true)).equal(7)
    expect([plain.requests.length, zdr.requests.length]).deep.equal([0, 1])
    expect(await count([at(plain)], chatRequest(), true)).equal(undefined)
  })

  it('asks another backend when one fails, and not a third', async () => {
    const broken = await backend(status(500, 'no'))
    const well = await backend()
    expect(await count([at(broken), at(well)])).equal(7)
    expect(await count([at(broken), at(broken), at(well)])).equal(undefined)
    expect(broken.requests).length(3)
  })

  it('asks a single backend twice: the kept connection may have been closed', async () => {
    let asked = 0
    const server = await backend((res, _seen, req) => {
      if (asked++ === 0) req.socket.destroy()
      else res.end('{"count":7}')
    })
    expect(await count([at(server)])).equal(7)
  })

  const useless: Readonly<Record<string, Parameters<typeof scriptedBackend>[0]>> = {
    'another status': status(404, { detail: 'Not Found' }),
    'no JSON': status(200, 'sure'),
    'no count': status(200, { tokens: [1] }),
    'a count that is none': status(200, { count: -1 }),
    'a redirect': status(307, {}, { location: '/elsewhere' }),
    'an answer that breaks off': res => {
      res.writeHead(200, { 'content-length': 100 })
      res.write('{"count":7')
      res.destroy()
    },
    'an answer without end': res => {
      const piece = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        while (!res.destroyed && res.write(piece)) {}
      }
      res.on('drain', more)
      more()
    },
  }
  for (const [name, script] of Object.entries(useless)) {
    it(`returns undefined after ${name}`, async () => {
      expect(await count([at(await backend(script))])).equal(undefined)
    })
  }

  it('returns undefined when no backend can be reached', async () => {
    const server = await scriptedBackend()
    await server.close()
    expect(await count([at(server)])).equal(undefined)
    expect(await count([backendConfig({ url: 'http://127.0.0.1:1/v1', headers: { 'x-bad': 'a\nb' } })])).equal(
      undefined,
    )
  })

  it('stops at the timeout, for all backends together', async () => {
    const silent = await backend(() => {})
    const config = model({}, { backends: [at(silent), at(silent)] })
    const started = performance.now()
    expect(await tokenizer(1000).count(chatRequest(), targetOf(config), NEVER)).equal(undefined)
    expect(performance.now() - started).least(990)
    expect(silent.requests).length(1)
  })

  it('stops at once when the client disconnects', async () => {
    const leaving = new AbortController()
    const silent = await backend(() => leaving.abort())
    expect(await count([at(silent)], chatRequest(), false, leaving.signal)).equal(undefined)
    expect(silent.requests).length(1)
  })
})
