import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events, status } from '../support/backend.ts'
import { schemaFormat, tool, user } from '../support/chat-bodies.ts'
import { calls, counts, ends, piece, role, says, usage } from '../support/fixtures/events.ts'
import { PIXEL, questions, SCHEMA, useRules } from '../support/rules.ts'

/** docs/api/chat-completions.md: stream, sampling, structured output, parameters. From outside. */
describe('chat completions', () => {
  const rules = useRules()
  const { ask, refused, sent, sentMessages } = questions(rules, '/v1/chat/completions', {
    model: 'm',
    messages: [user('Hi')],
  })

  describe('stream', () => {
    it('is server-sent events when true, one JSON object otherwise', async () => {
      const streamed = await ask({ stream: true })
      expect(streamed.headers.get('content-type')).match(/^text\/event-stream/)
      expect(streamed.text).match(/^data: \{.*\n\ndata: \[DONE\]\n\n$/s)
      for (const stream of [false, null]) {
        const whole = await ask({ stream })
        expect(whole.headers.get('content-type')).equal('application/json')
        expect(whole.json).include({ object: 'chat.completion' })
      }
      await refused({ stream: 'yes' }, 422, 'schema_validation_failed', 'stream')
    })
  })

  describe('stream_options', () => {
    const both = { include_usage: true, continuous_usage_stats: true }
    for (const stream_options of [undefined, null, {}, { include_usage: false, continuous_usage_stats: false }]) {
      it(`is forced over ${JSON.stringify(stream_options)}`, async () => {
        const body = stream_options === undefined ? { stream: true } : { stream: true, stream_options }
        expect(await sent(body, 'stream_options')).deep.equal({ stream_options: both })
      })
    }
    it('puts usage on the last chunk: running totals are replaced, never added', async () => {
      const script = events(
        { ...role, usage: counts(9, 0) },
        { ...says('a'), usage: counts(9, 1) },
        { ...says('b'), usage: counts(9, 2) },
        ends('stop'),
        usage(9, 3, { cached_tokens: 4 }),
      )
      const { text } = await ask({ stream: true, stream_options: { include_usage: false } }, { script })
      const chunks = text.split('\n\n').filter(line => line.startsWith('data: {'))
      const last = JSON.parse(chunks.at(-1)!.slice(6))
      expect(last).deep.include({ choices: [] })
      expect(last.usage).deep.equal({
        prompt_tokens: 9,
        completion_tokens: 3,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 4 },
      })
    })
  })

  it('Streaming tool calls: the full array arrives in one chunk', async () => {
    const script = events(
      role,
      calls(piece(0, 'a', 'f', '')),
      calls(piece(0, undefined, undefined, '{"a":')),
      calls(piece(1, 'b', 'g', '{}')),
      calls(piece(0, undefined, undefined, '1}')),
      ends('tool_calls'),
    )
    const { text } = await ask({ stream: true, tools: [tool('f'), tool('g')] }, { script })
    expect(text.match(/"tool_calls":\[/g)).length(1)
    const chunk = JSON.parse(
      text
        .split('\n\n')
        .find(line => line.includes('"tool_calls":['))!
        .slice(6),
    )
    expect(chunk.choices[0].delta.tool_calls).deep.equal([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
    ])
  })

  describe('Fixed-sampling models', () => {
    const wanted = { temperature: 0.5, top_p: 0.5, n: 3, presence_penalty: 1, frequency_penalty: 1, seed: 7 }
    it('are never sent what they do not accept', async () => {
      const { sent: body } = await ask({ model: 'fixed', ...wanted })
      expect(body).include({ seed: 7 })
      expect(body).not.any.keys('temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty')
    })
    it('and no others', async () => {
      expect((await ask(wanted)).sent).include(wanted)
    })
  })

  describe('n greater than 1', () => {
    it('is passed on where the card says so, and refused elsewhere', async () => {
      expect(await sent({ n: 2 }, 'n')).deep.equal({ n: 2 })
      await refused({ model: 'plain', n: 2 }, 400, 'unsupported_feature', 'n')
      expect((await ask({ model: 'plain', n: 1 })).status).equal(200)
      for (const n of [0, 1.5, 'two']) await refused({ n }, 422, 'schema_validation_failed', 'n')
    })
    it('gives each choice its own text, calls and finish, interleaved or not', async () => {
      const at = (index: number, delta: JsonObject, finish: string | null = null): JsonObject => ({
        choices: [{ index, delta, finish_reason: finish }],
      })
      const script = events(
        at(0, { role: 'assistant', content: '' }),
        at(1, { role: 'assistant', content: '' }),
        at(0, { content: 'Yes' }),
        at(1, { tool_calls: [piece(0, 'c', 'f', '{"a"')] }),
        at(0, { content: '.' }),
        at(0, {}, 'length'),
        at(1, { tool_calls: [piece(0, undefined, undefined, ':1}')] }),
        at(1, {}, 'tool_calls'),
        usage(9, 5),
      )
      const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
      const { json } = await ask({ n: 2, tools: [tool('f')] }, { script })
      expect(json).deep.nested.include({
        'choices[0].message.content': 'Yes.',
        'choices[0].finish_reason': 'length',
        'choices[1].message.tool_calls': [call],
        'choices[1].finish_reason': 'tool_calls',
      })
      const { text } = await ask({ n: 2, tools: [tool('f')], stream: true }, { script })
      expect(text).include(JSON.stringify({ tool_calls: [{ index: 0, ...call }] }).slice(1, -1))
      expect([...text.matchAll(/"index":(\d),"delta":\{"role":"assistant"/g)].map(([, index]) => index)).deep.equal([
        '0',
        '1',
      ])
      expect(text).match(/data: \[DONE\]\n\n$/)
    })
    it('follows the partition', async () => {
      const headers = { 'service-zdr': 'required' }
      expect((await ask({ model: 'partition', n: 2 })).status).equal(200)
      await refused({ model: 'partition', n: 2 }, 400, 'unsupported_feature', 'n', { headers })
    })
  })

  describe('response_format', () => {
    const grammar = { type: 'grammar', grammar: 'root ::= "a"' }
    it('of type grammar is sent where the engine reads it', async () => {
      const places = ['structured_outputs', 'ebnf', 'grammar', 'response_format']
      const placed = (model: string) => sent({ model, response_format: grammar }, ...places)
      expect(await placed('m')).deep.equal({ structured_outputs: { grammar: grammar.grammar } })
      expect(await placed('sglang')).deep.equal({ ebnf: grammar.grammar })
      expect(await placed('llama')).deep.equal({ grammar: grammar.grammar })
    })
    const shapes = [{ type: 'grammar' }, { type: 'grammar', grammar: { root: 'a' } }, { ...grammar, syntax: 'lark' }]
    for (const response_format of [grammar, ...shapes, { type: 'json_object' }, schemaFormat(SCHEMA)] as JsonObject[]) {
      it(`is refused on a model without it as ${JSON.stringify(response_format)}`, () =>
        refused({ model: 'plain', response_format }, 400, 'unsupported_response_format', 'response_format.type'))
    }
    it('of another type is refused everywhere', async () => {
      for (const type of ['xml', 'regex', 'structural_tag']) {
        await refused({ response_format: { type } }, 400, 'unsupported_response_format', 'response_format.type')
      }
    })
    it('takes schemas as clients of llama.cpp send them, on every engine', async () => {
      const forms = [
        { type: 'json_object', schema: SCHEMA },
        { type: 'json_schema', json_schema: { schema: SCHEMA } },
      ]
      for (const model of ['m', 'sglang', 'llama', 'plain-openai']) {
        for (const response_format of forms) {
          expect(await sent({ model, response_format }, 'response_format')).deep.equal({
            response_format: { type: 'json_schema', json_schema: { name: 'response', schema: SCHEMA } },
          })
        }
      }
      const text = { response_format: { type: 'text', schema: SCHEMA } }
      await refused(text, 400, 'unsupported_parameter', 'response_format.schema')
    })
    it('passes json_object and json_schema on, and omits text', async () => {
      for (const format of [{ type: 'json_object' }, schemaFormat(SCHEMA)] as JsonObject[]) {
        expect(await sent({ response_format: format }, 'response_format')).deep.equal({ response_format: format })
      }
      expect(await sent({ response_format: { type: 'text' } }, 'response_format')).deep.equal({})
      expect(await sent({ response_format: null }, 'response_format')).deep.equal({})
    })
    const wrong: readonly (readonly [JsonObject['x'], string])[] = [
      ['json_object', 'response_format'],
      [{}, 'response_format.type'],
      [{ type: 'json_schema' }, 'response_format.json_schema'],
      [{ type: 'json_schema', json_schema: { name: 'x' } }, 'response_format.json_schema.schema'],
      [{ type: 'grammar' }, 'response_format.grammar'],
      [{ type: 'grammar', grammar: { root: 'a' } }, 'response_format.grammar'],
    ]
    for (const [response_format, param] of wrong) {
      it(`is refused as ${JSON.stringify(response_format)}`, () =>
        refused({ response_format: response_format! }, 422, 'schema_validation_failed', param))
    }
    it('is refused with members that mean nothing', async () => {
      for (const format of [grammar, { type: 'json_object' }] as JsonObject[]) {
        const response_format = { ...format, syntax: 'lark' }
        await refused({ response_format }, 400, 'unsupported_parameter', 'response_format.syntax')
      }
    })
  })

  describe('Top-level regex', () => {
    it('is sent where the engine reads it', async () => {
      expect(await sent({ regex: 'a+' }, 'structured_outputs', 'regex')).deep.equal({
        structured_outputs: { regex: 'a+' },
      })
      expect(await sent({ model: 'sglang', regex: 'a+' }, 'structured_outputs', 'regex')).deep.equal({ regex: 'a+' })
    })
    it('is refused where the model or the partition would ignore it', async () => {
      for (const model of ['plain', 'llama', 'partition'])
        await refused({ model, regex: 'a+' }, 400, 'unsupported_regex', 'regex')
      const { status, sent } = await ask(
        { model: 'partition', regex: 'a+' },
        { headers: { 'service-zdr': 'required' } },
      )
      expect({ status, sent }).nested.include({
        status: 200,
        'sent.model': 'up-zdr',
        'sent.structured_outputs.regex': 'a+',
      })
    })
  })

  describe('parameters', () => {
    const unknown = [
      'bogus',
      'guided_json',
      'structured_outputs',
      'priority',
      'cache_salt',
      'request_id',
      'api_base',
      'enable_thinking',
      'functions',
      'audio',
      'web_search_options',
    ]
    for (const name of unknown) {
      it(`${name} is refused`, () => refused({ [name]: { a: 1 } }, 400, 'unsupported_parameter', name))
    }
    it('that are unknown are refused inside objects, too', async () => {
      await refused(
        { chat_template_kwargs: { secret: 1 } },
        400,
        'unsupported_parameter',
        'chat_template_kwargs.secret',
      )
      await refused({ reasoning: { summary: 'auto' } }, 400, 'unsupported_parameter', 'reasoning.summary')
    })
    it('without effect are accepted and not sent on', async () => {
      const inert = {
        user: 'u',
        metadata: { a: 'b' },
        store: true,
        service_tier: 'auto',
        prompt_cache_key: 'k',
        safety_identifier: 's',
        verbosity: 'low',
      }
      const { status, sent } = await ask(inert)
      expect(status).equal(200)
      expect(sent).not.any.keys(...Object.keys(inert))
    })
    it('that are null are treated as absent', async () => {
      const names = [
        'temperature',
        'top_p',
        'max_tokens',
        'max_completion_tokens',
        'n',
        'stop',
        'seed',
        'logit_bias',
        'logprobs',
        'top_logprobs',
        'tools',
        'tool_choice',
        'parallel_tool_calls',
        'response_format',
        'regex',
        'preserve_thinking',
        'stream_options',
        'presence_penalty',
        'functions',
        'audio',
      ]
      const { status, sent } = await ask(Object.fromEntries(names.map(name => [name, null])))
      expect(status).equal(200)
      expect(sent).keys('model', 'messages', 'stream', 'chat_template_kwargs')
    })
    it('of sampling are sent under their names', async () => {
      const sampling = {
        temperature: 0,
        top_p: 1,
        top_k: 5,
        min_p: 0.1,
        seed: 1,
        repetition_penalty: 1.1,
        logit_bias: { 7: -100 },
        logprobs: true,
        top_logprobs: 2,
      }
      expect((await ask(sampling)).sent).deep.include(sampling)
      expect(
        await sent({ max_completion_tokens: 7, stop: 'END' }, 'max_tokens', 'max_completion_tokens', 'stop'),
      ).deep.equal({ max_tokens: 7, stop: ['END'] })
    })
    const wrong: readonly (readonly [JsonObject, string])[] = [
      [{ temperature: -1 }, 'temperature'],
      [{ top_p: 0 }, 'top_p'],
      [{ max_tokens: 0 }, 'max_tokens'],
      [{ max_tokens: 1, max_completion_tokens: 2 }, 'max_tokens'],
      [{ stop: [1] }, 'stop.0'],
      [{ logit_bias: { x: 1 } }, 'logit_bias.x'],
      [{ messages: [] }, 'messages'],
      [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
      [{ messages: [user('a'), user(3)] }, 'messages.1.content'],
      [{ messages: [user([{ type: 'text' }])] }, 'messages.0.content.0.text'],
      [
        {
          messages: [
            user('a'),
            { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] },
          ],
        },
        'messages.1.tool_calls.0.function.arguments',
      ],
    ]
    for (const [body, param] of wrong) {
      it(`are refused by their path: ${param}`, () => refused(body, 422, 'schema_validation_failed', param))
    }
  })

  describe('images', () => {
    const picture = (url: string) => [user([{ type: 'image_url', image_url: { url } }])]
    it('are sent as bytes', async () => {
      const messages = picture(`data:image/png;base64,${PIXEL}`)
      expect(await sentMessages({ messages })).deep.equal(messages)
    })
    it('are refused on a model without vision', () =>
      refused(
        { model: 'plain', messages: picture(`data:image/png;base64,${PIXEL}`) },
        400,
        'unsupported_feature',
        'messages.0.content.0',
      ))
    it('are never fetched from this machine', async () => {
      const { port } = rules().backend
      for (const url of [`http://127.0.0.1:${port}/x.png`, `http://localhost:${port}/x.png`, 'file:///etc/hostname']) {
        await refused({ messages: picture(url) }, 400, 'model_request_rejected', 'messages.0.content.0')
      }
    })
    // `partition` has no vision.
    for (const model of ['m', 'partition']) {
      it(`by file_id are refused under ZDR on ${model}`, () =>
        refused(
          { model, messages: [user([{ type: 'image_url', image_url: { file_id: 'f' } }])] },
          400,
          'file_id_not_allowed_with_zdr',
          'messages.0.content.0',
          { headers: { 'service-zdr': 'required' } },
        ))
    }
  })

  describe('context_length_exceeded', () => {
    const extra = { model: 'm', context_length_limit: 8192, suggested_models: [{ id: 'big', context_length: 32768 }] }
    it('is raised before a backend is asked, where max_tokens alone is too large', async () => {
      for (const param of ['max_tokens', 'max_completion_tokens']) {
        const { status, error, sent } = await ask({ [param]: 8193 })
        expect({ status, sent }).deep.equal({ status: 400, sent: undefined })
        expect(error).deep.include({ code: 'context_length_exceeded', param, ...extra })
      }
    })
    // The longer one stays bytes.
    for (const words of [10_000, 100_000]) {
      it(`is raised before a backend is asked, where ${words} words are too many`, async () => {
        const messages = [user('word '.repeat(words))]
        const { status, error, sent } = await ask({ messages })
        expect({ status, sent }).deep.equal({ status: 400, sent: undefined })
        expect(error).deep.include({ code: 'context_length_exceeded', param: 'messages', ...extra })
        expect((await ask({ messages: [user('x'.repeat(words))] })).status).equal(200)
      })
    }
    const words = [
      "This model's maximum context length is 8192 tokens. However, you requested 10 output tokens and your prompt contains at least 9000 input tokens, for a total of at least 9010 tokens.",
      "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
      'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    ]
    for (const message of words) {
      it(`is recognised in a refusal of a backend: ${message.slice(0, 40)}…`, async () => {
        const script = status(400, { error: { message, type: 'BadRequestError', code: 400 } })
        for (const stream of [false, true]) {
          const answer = await ask({ stream }, { script })
          expect(answer.status).equal(400)
          expect(answer.error).deep.include({
            code: 'context_length_exceeded',
            type: 'invalid_request_error',
            ...extra,
          })
        }
      })
    }
  })
})
