import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { events, reply, type Script, status } from '../support/backend.ts'
import { calls, ends, piece, role, says, thinks, usage } from '../support/fixtures/events.ts'
import { PIXEL, questions, SCHEMA, useRules } from '../support/rules.ts'

const user = (content: Json): JsonObject => ({ role: 'user', content })
const tool = (name: string, input_schema: Json = SCHEMA): JsonObject => ({ name, input_schema })
const image = (source: JsonObject = { type: 'base64', media_type: 'image/png', data: PIXEL }): JsonObject => ({
  type: 'image',
  source,
})
const used = (id: string, input: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'f', input }],
})
const result = (id: string, more: JsonObject = {}): JsonObject => ({ type: 'tool_result', tool_use_id: id, ...more })

/** The rules of docs/api/messages.md, from outside. */
describe('Messages', () => {
  const rules = useRules()
  const { ask, refused, sent, sentMessages } = questions(rules, '/v1/messages', {
    model: 'm',
    max_tokens: 99,
    messages: [user('Hi')],
  })

  describe('max_tokens', () => {
    it('is a positive integer', async () => {
      expect(await sent({ max_tokens: 7 }, 'max_tokens')).deep.equal({ max_tokens: 7 })
      for (const max_tokens of [0, -1, 1.5, '9', null]) {
        await refused({ max_tokens }, 422, 'schema_validation_failed', 'max_tokens')
      }
    })
    it('is lowered to the window, and to the rest that a backend reports', async () => {
      expect(await sent({ max_tokens: 32_000 }, 'max_tokens')).deep.equal({ max_tokens: 8192 })
      const message =
        "This model's maximum context length is 8192 tokens and your request has 192 input tokens: 'max_tokens' is too large."
      const full = status(400, { error: { message, type: 'BadRequestError', param: 'max_tokens', code: 400 } })
      const script: Script = (res, request, req) =>
        (Number(request.body.max_tokens) > 8000 ? full : reply())(res, request, req)
      const answer = await ask({ max_tokens: 32_000 }, { script })
      expect({ status: answer.status, sent: answer.sent?.max_tokens }).deep.equal({ status: 200, sent: 8000 })
    })
    it('is left out where the backend does not report the rest', async () => {
      const message =
        "This model's maximum context length is 8192 tokens. However, you requested 8192 output tokens and your prompt contains 80 characters (more than 0 characters, which is the upper bound for 0 input tokens)."
      const full = status(400, { error: { message, type: 'BadRequestError', param: 'input_text', code: 400 } })
      const script: Script = (res, request, req) =>
        (request.body.max_tokens === undefined ? reply() : full)(res, request, req)
      const answer = await ask({ max_tokens: 32_000 }, { script })
      expect({ status: answer.status, sent: answer.sent?.max_tokens }).deep.equal({ status: 200, sent: undefined })
    })
    it('does not help a prompt that is too long by itself', async () => {
      const message = "This model's maximum context length is 8192 tokens and your request has 9000 input tokens."
      const script = status(400, { error: { message, type: 'BadRequestError', code: 400 } })
      const { status: code, json, error } = await ask({}, { script })
      expect(code).equal(400)
      expect(json.type).equal('error')
      expect(error).deep.include({
        code: 'context_length_exceeded',
        model: 'm',
        context_length_limit: 8192,
        suggested_models: [{ id: 'big', context_length: 32768 }],
      })
      expect(error.message).match(/^prompt is too long/)
    })
  })

  describe('messages', () => {
    it('are strings or blocks', async () => {
      const blocks = [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]
      expect(await sentMessages({ messages: [user('a'), { role: 'assistant', content: 'b' }, user('c')] })).deep.equal([
        user('a'),
        { role: 'assistant', content: 'b' },
        user('c'),
      ])
      expect(await sentMessages({ messages: [user(blocks)] })).deep.equal([user('a\nb')])
    })
    it('carry tool calls, results and thinking of earlier messages', async () => {
      const assistant = {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'functions.f:0', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'two', name: 'f', input: {} },
        ],
      }
      const results = user([
        { type: 'text', text: 'Here.' },
        result('functions.f:0', { content: 'one' }),
        result('two', { content: [{ type: 'text', text: 'no' }], is_error: true }),
      ])
      const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } })
      const messages = await sentMessages({ messages: [user('a'), assistant, results] })
      expect(messages).deep.equal([
        user('a'),
        { role: 'assistant', content: 'I look.', tool_calls: [call('functions.f:0', '{"a":1}'), call('two', '{}')] },
        { role: 'tool', tool_call_id: 'functions.f:0', content: 'one' },
        { role: 'tool', tool_call_id: 'two', content: 'Error: no' },
        user('Here.'),
      ])
    })
    it('may hold images in results: they are sent in the message after it', async () => {
      const messages = [user('a'), used('c'), user([result('c', { content: [image()] })])]
      const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }
      expect((await sentMessages({ messages })).slice(2)).deep.equal([
        { role: 'tool', tool_call_id: 'c', content: '' },
        user([picture]),
      ])
    })
    it('of the role system are sent where the template accepts them', async () => {
      const messages = [user('a'), { role: 'system', content: 'It is noon.' }, user('b')]
      expect(await sentMessages({ system: 'Be brief.', messages })).deep.equal([
        { role: 'system', content: 'Be brief.\n\nIt is noon.' },
        user('a'),
        user('b'),
      ])
    })
    const wrong: readonly (readonly [JsonObject[], number, string, string])[] = [
      [[], 422, 'schema_validation_failed', 'messages'],
      [[{ role: 'tool', content: 'x' }], 422, 'schema_validation_failed', 'messages.0.role'],
      [[user(null)], 422, 'schema_validation_failed', 'messages.0.content'],
      [[user([{ type: 'text' }])], 422, 'schema_validation_failed', 'messages.0.content.0.text'],
      [[user([{ text: 'a' }])], 422, 'schema_validation_failed', 'messages.0.content.0.type'],
      [[user([image({})])], 422, 'schema_validation_failed', 'messages.0.content.0.source.type'],
      [[user([{ type: 'riddle' }])], 422, 'schema_validation_failed', 'messages.0.content.0.type'],
      [
        [user([{ type: 'tool_use', id: 'a', name: 'f', input: {} }])],
        422,
        'schema_validation_failed',
        'messages.0.content.0.type',
      ],
      [[user([{ type: 'document', source: {} }])], 400, 'unsupported_feature', 'messages.0.content.0.type'],
      [[user('a'), user([result('x')])], 400, 'orphan_tool_message', 'messages.1.content.0.tool_use_id'],
      [
        [user('a'), used('c'), user([{ type: 'tool_result' }])],
        400,
        'missing_tool_call_id',
        'messages.2.content.0.tool_use_id',
      ],
      [
        [user('a'), used('c'), user([result('c', { content: [{ type: 'document' }] })])],
        400,
        'unsupported_feature',
        'messages.2.content.0.content.0.type',
      ],
    ]
    for (const [messages, code, name, param] of wrong) {
      it(`are refused: ${name} at ${param}`, () => refused({ messages }, code, name, param))
    }
  })

  describe('system', () => {
    it('is a string or text blocks', async () => {
      expect((await sentMessages({ system: 'a' }))[0]).deep.equal({ role: 'system', content: 'a' })
      const blocks = [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'b' },
      ]
      expect((await sentMessages({ system: blocks }))[0]).deep.equal({ role: 'system', content: 'a\nb' })
      await refused({ system: 3 }, 422, 'schema_validation_failed', 'system')
      await refused({ system: [image()] }, 422, 'schema_validation_failed', 'system.0.type')
      await refused({ system: [{ type: 'text' }] }, 422, 'schema_validation_failed', 'system.0.text')
    })
    it('drops the line that changes with every request', async () => {
      const system = [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=1.2.3' },
        { type: 'text', text: 'a' },
      ]
      expect((await sentMessages({ system }))[0]).deep.equal({ role: 'system', content: 'a' })
    })
  })

  describe('thinking', () => {
    const reasoning = (body: JsonObject) => sent(body, 'reasoning_effort', 'chat_template_kwargs')
    const off = { chat_template_kwargs: { enable_thinking: false } }
    const on = (effort: string) => ({ reasoning_effort: effort, chat_template_kwargs: { enable_thinking: true } })
    it('is off unless it is enabled, whatever the card says', async () => {
      for (const thinking of [undefined, null, { type: 'disabled' }, { type: 'adaptive', display: 'omitted' }]) {
        expect(await reasoning(thinking === undefined ? {} : { thinking })).deep.equal(off)
      }
      expect(await reasoning({ output_config: { effort: 'high' } })).deep.equal(off)
    })
    it('is on when it is enabled; the budget is ignored', async () => {
      expect(await reasoning({ thinking: { type: 'enabled' } })).deep.equal(on('medium'))
      expect(await reasoning({ thinking: { type: 'enabled', budget_tokens: 1024 } })).deep.equal(on('medium'))
      await refused({ thinking: { type: 'deep' } }, 422, 'schema_validation_failed', 'thinking.type')
      await refused({ model: 'plain', thinking: { type: 'enabled' } }, 400, 'unsupported_feature', 'thinking')
    })
    it('takes four efforts and ignores all others', async () => {
      const thinking = { type: 'enabled' }
      for (const effort of ['low', 'medium', 'high', 'max']) {
        expect(await reasoning({ thinking, output_config: { effort } })).deep.equal(on(effort))
      }
      for (const effort of ['xhigh', 'minimal', 'none', 3, null]) {
        expect(await reasoning({ thinking, output_config: { effort } })).deep.equal(on('medium'))
      }
    })
    it('is returned before the answer, with an empty signature, and only when asked for', async () => {
      const script = events(role, thinks('Hm.'), says('Yes'), ends('stop'), usage(9, 4, { cached_tokens: 2 }))
      const text = { type: 'text', text: 'Yes' }
      const thought = await ask({ thinking: { type: 'enabled' } }, { script })
      expect(thought.json.content).deep.equal([{ type: 'thinking', thinking: 'Hm.', signature: '' }, text])
      for (const model of ['m', 'always']) {
        const { json } = await ask({ model }, { script })
        expect(json.content).deep.equal([text])
        // Tokens that are not shown count.
        expect(json.usage).deep.equal({
          input_tokens: 9,
          output_tokens: 4,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 2,
        })
      }
    })
  })

  describe('the reply', () => {
    it('is a message', async () => {
      const { json } = await ask({ model: 'alias' })
      expect(json.id).match(/^msg_/)
      expect(json).deep.include({
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
      })
    })
    it('holds tool_use blocks and says so in stop_reason, whatever the finish', async () => {
      for (const finish of ['tool_calls', 'stop']) {
        const script = events(role, says('Look.'), calls(piece(0, 'c', 'f', '{"a":"b"}')), ends(finish))
        const { json } = await ask({ tools: [tool('f')] }, { script })
        expect(json).deep.include({
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'tool_use', id: 'c', name: 'f', input: { a: 'b' } },
          ],
          stop_reason: 'tool_use',
        })
      }
    })
    it('names the stop sequence that was met, and no other stop', async () => {
      const stopped = (more: JsonObject) => events(role, says('a'), ends('stop', more))
      const body = { stop_sequences: ['END'] }
      expect((await ask(body, { script: stopped({ stop_reason: 'END' }) })).json).include({
        stop_reason: 'stop_sequence',
        stop_sequence: 'END',
      })
      for (const more of [{}, { stop_reason: 7 }, { stop_reason: '<|im_end|>' }]) {
        const { json } = await ask(body, { script: stopped(more) })
        expect(json).include({ stop_reason: 'end_turn', stop_sequence: null })
      }
      expect(await sent(body, 'stop')).deep.equal({ stop: ['END'] })
      await refused({ stop_sequences: 'END' }, 422, 'schema_validation_failed', 'stop_sequences')
    })
  })

  it('sampling is sent, except to models with fixed sampling', async () => {
    const sampling = { temperature: 0.5, top_p: 0.9, top_k: 5 }
    expect(await sent(sampling, 'temperature', 'top_p', 'top_k')).deep.equal(sampling)
    expect(await sent({ model: 'fixed', ...sampling }, 'temperature', 'top_p', 'top_k')).deep.equal({ top_k: 5 })
    await refused({ temperature: 3 }, 422, 'schema_validation_failed', 'temperature')
  })

  it('members without effect are accepted, and null means absent', async () => {
    const inert = {
      metadata: { user_id: 'u' },
      cache_control: { type: 'ephemeral' },
      service_tier: 'auto',
      context_management: { edits: [] },
    }
    const nulls = [
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'stop_sequences',
      'temperature',
      'top_p',
      'top_k',
      'stream',
      'metadata',
      'thread',
    ]
    for (const body of [inert, Object.fromEntries(nulls.map(name => [name, null]))]) {
      const answer = await ask(body)
      expect(answer.status).equal(200)
      expect(answer.sent).keys('model', 'messages', 'max_tokens', 'stream', 'chat_template_kwargs')
    }
  })

  it('other parameters are refused', async () => {
    for (const name of ['n', 'response_format', 'reasoning_effort', 'container', 'mcp_servers']) {
      await refused({ [name]: 'x' }, 400, 'unsupported_parameter', name)
    }
    await refused({ output_config: { format: {} } }, 422, 'schema_validation_failed', 'output_config.format.type')
    await refused({ output_format: 'x' }, 422, 'schema_validation_failed', 'output_format')
    const { status: code, error } = await ask({ thread: { type: 'create' } })
    expect(code).equal(400)
    expect(error).deep.include({
      code: 'unsupported_parameter',
      param: 'thread',
      details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    })
  })

  it('version headers and ?beta=true are ignored, request-id is sent beside x-request-id', async () => {
    const headers = { 'vendor-version': '1', 'vendor-beta': 'a,b', 'anthropic-version': 'x', 'anthropic-beta': 'a,b' }
    const answer = await rules().ask(
      '/v1/messages?beta=true',
      { model: 'm', max_tokens: 9, messages: [user('Hi')] },
      { headers },
    )
    expect(answer.status).equal(200)
    expect(answer.headers.get('request-id')).equal(answer.headers.get('x-request-id'))
  })

  describe('images', () => {
    const seen = (part: JsonObject, more: JsonObject = {}) => ({ messages: [user([part])], ...more })
    const where = 'messages.0.content.0'
    it('are sent as bytes', async () => {
      const [message] = await sentMessages(seen(image()))
      expect(message?.content).deep.equal([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }])
    })
    it('are refused on a model without vision', () =>
      refused(seen(image(), { model: 'plain' }), 400, 'model_request_rejected', where))
    for (const url of ['http://127.0.0.1/a.png', 'http://[::1]/a.png', 'ftp://example.com/a.png', 'nonsense']) {
      it(`are refused where they cannot be fetched: ${url}`, () =>
        refused(seen(image({ type: 'url', url })), 400, 'model_request_rejected', where))
    }
    it('are refused where they are not images', async () => {
      const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
      await refused(seen(image({ ...source, data: '!' })), 422, 'schema_validation_failed', where)
      for (const media_type of ['image/bmp', 'application/pdf']) {
        const param = `${where}.source.media_type`
        await refused(seen(image({ ...source, media_type })), 422, 'schema_validation_failed', param)
      }
      await refused(seen(image({ type: 'base64' })), 422, 'schema_validation_failed', `${where}.source.media_type`)
    })
    it('inside tool results are refused like any other', () => {
      const messages = [user('a'), used('c'), user([result('c', { content: [image()] })])]
      return refused({ model: 'plain', messages }, 400, 'model_request_rejected', 'messages.2.content.0.content.0')
    })
    it('by file_id are refused under ZDR', () =>
      refused(seen(image({ type: 'file', file_id: 'f' })), 400, 'file_id_not_allowed_with_zdr', where, {
        headers: { 'service-zdr': 'required' },
      }))
  })
})

/** The switches of docs/DESIGN.md#messages. */
describe('Messages with its switches', () => {
  const rules = useRules({
    messages: { adaptive_thinking: 'on', tool_images_without_vision: 'describe' },
    clamp_max_tokens: ['chat'],
  })
  const { refused, sent, sentMessages } = questions(rules, '/v1/messages', {
    model: 'm',
    max_tokens: 99,
    messages: [user('Hi')],
  })

  it('treats adaptive thinking as enabled, where the model can reason', async () => {
    const body = { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } }
    const names = ['reasoning_effort', 'chat_template_kwargs']
    expect(await sent(body, ...names)).deep.equal({
      reasoning_effort: 'high',
      chat_template_kwargs: { enable_thinking: true },
    })
    expect(await sent({ model: 'plain', ...body }, ...names)).deep.equal({})
  })

  it('replaces images inside tool results by text, and no others', async () => {
    const messages = [user('a'), used('c'), user([result('c', { content: [image()] })])]
    const sight = (await sentMessages({ model: 'plain', messages })).at(-1)
    expect(sight).include({ role: 'tool', tool_call_id: 'c' })
    expect(sight?.content).match(/image/)
    const seen = { model: 'plain', messages: [user([image()])] }
    await refused(seen, 400, 'model_request_rejected', 'messages.0.content.0')
  })

  it('leaves max_tokens as it is', () => refused({ max_tokens: 8193 }, 400, 'context_length_exceeded', 'max_tokens'))
})
