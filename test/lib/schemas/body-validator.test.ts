import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'
import { bodyValidator } from '../../../lib/schemas/body-validator.ts'
import { readSchema, schemaNames } from '../../../lib/schemas/read.ts'
import { expectCheap } from '../../support/cost.ts'
import { refusalOf } from '../../support/refusal.ts'

const SCHEMAS = new URL('../../../schemas/', import.meta.url)

describe('schemas of bodies', () => {
  it('exist for every route that reads a body', () => {
    for (const { body } of ROUTES as readonly Route[]) if (body !== null) bodyValidator(body)
  })

  it('are valid schemas', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    for (const folder of ['bodies', 'shared'])
      for (const name of schemaNames(folder))
        expect(ajv.validateSchema(readSchema(`${folder}/${name}`)), `${name}: ${ajv.errorsText()}`).equal(true)
  })

  it('have an $id with the name of their file', () => {
    for (const folder of ['bodies', 'shared']) {
      for (const file of readdirSync(new URL(folder, SCHEMAS))) {
        const { $id } = JSON.parse(readFileSync(new URL(`${folder}/${file}`, SCHEMAS), 'utf8')) as JsonObject
        expect($id).equal(`gateway:/${folder}/${file}`)
      }
    }
  })

  it('have a name, and any other name is refused', () => {
    expect(() => bodyValidator('nothing')).throw("no schema for bodies named 'nothing'")
  })
})

describe('a misspelt member', () => {
  it('is refused with the name of a similar one of the route', () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const cases: readonly (readonly [string, string, string | undefined])[] = [
      ['chat-completions', 'temprature', 'temperature'],
      ['chat-completions', 'response_formt', 'response_format'],
      ['chat-completions', 'stop_sequence', undefined],
      // Refused members are no suggestion.
      ['chat-completions', 'functions', undefined],
      ['chat-completions', 'function', undefined],
      // A member of the shared schema, and one of the route.
      ['messages', 'stop_sequence', 'stop_sequences'],
      ['messages', 'max_token', 'max_tokens'],
      ['responses', 'max_output_token', 'max_output_tokens'],
    ]
    for (const [route, name, meant] of cases) {
      const body = { model: 'm', messages, max_tokens: 1, [name]: 1 }
      const given = route === 'responses' ? { model: 'm', input: 'Hi', [name]: 1 } : body
      const hint = meant === undefined ? '' : `; perhaps '${meant}' was meant`
      expect(refusalOf(() => bodyValidator(route)(given))).include({
        code: 'unsupported_parameter',
        param: name,
        message: `Parameter '${name}' is not supported${hint}.`,
      })
    }
  })
})

describe('an image in a message of the Messages API', () => {
  it('may have the types that models accept, which a refusal names', () => {
    const body = (media_type: string) => {
      const source = { type: 'base64', media_type, data: 'AA==' }
      return { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
    }
    for (const type of ['png', 'jpeg', 'jpg', 'gif', 'webp']) bodyValidator('messages')(body(`image/${type}`))
    expect(refusalOf(() => bodyValidator('messages')(body('application/pdf'))).message).match(
      /media_type' must be 'image\/png', 'image\/jpeg', 'image\/jpg', 'image\/gif' or 'image\/webp'\.$/,
    )
  })
})

describe('long conversations', () => {
  const long = (length: number): JsonObject[] => Array.from({ length }, () => ({ role: 'user', content: 'Hi' }))

  it('have at most 10,000 messages or items, and each of those as many parts', () => {
    const parts = (type: string) => Array.from({ length: 10_001 }, () => ({ type, text: 'x' }))
    const cases: readonly (readonly [string, (count: number) => JsonObject, string])[] = [
      ['chat-completions', count => ({ messages: long(count) }), 'messages'],
      ['messages', count => ({ max_tokens: 1, messages: long(count) }), 'messages'],
      ['responses', count => ({ input: long(count).map(item => ({ type: 'message', ...item })) }), 'input'],
      [
        'chat-completions',
        count => ({ messages: [{ role: 'user', content: parts('text').slice(0, count) }] }),
        'messages.0.content',
      ],
      [
        'messages',
        count => ({ max_tokens: 1, messages: [{ role: 'user', content: parts('text').slice(0, count) }] }),
        'messages.0.content',
      ],
      ['messages', count => ({ max_tokens: 1, messages: long(1), system: parts('text').slice(0, count) }), 'system'],
      [
        'responses',
        count => ({ input: [{ type: 'message', role: 'user', content: parts('input_text').slice(0, count) }] }),
        'input.0.content',
      ],
      [
        'responses',
        count => ({
          input: [{ type: 'function_call_output', call_id: 'c', output: parts('input_text').slice(0, count) }],
        }),
        'input.0.output',
      ],
    ]
    for (const [name, body, param] of cases) {
      const validate = bodyValidator(name)
      expect(validate({ model: 'm', ...body(10_000) }), name).equal(undefined)
      expect(
        refusalOf(() => validate({ model: 'm', ...body(10_001) })),
        `${name} ${param}`,
      ).include({
        code: 'schema_validation_failed',
        status: 422,
        param,
      })
    }
  })

  it('are refused with the path of a mistake, as short ones are', () => {
    const validate = bodyValidator('chat-completions')
    const messages = long(4000)
    messages[3999] = { role: 'nobody', content: 'Hi' }
    expect(refusalOf(() => validate({ model: 'm', messages }))).include({ param: 'messages.3999.role' })
  })
})

describe('bodies of chat completions', () => {
  const validate = bodyValidator('chat-completions')
  const messages = [{ role: 'user', content: 'Hi' }]
  const bodyWith = (members: JsonObject): JsonObject => ({ model: 'm', messages, ...members })
  const saidOf = (members: JsonObject) => refusalOf(() => validate(bodyWith(members)))
  const saidOfMessage = (message: Json) => saidOf({ messages: [message] })

  describe('that are no request', () => {
    for (const body of [null, [], 'x', 1, true]) {
      it(`${JSON.stringify(body)}: invalid_json_request`, () => {
        expect(refusalOf(() => validate(body))).include({ code: 'invalid_json_request', status: 400, param: undefined })
      })
    }

    for (const name of ['model', 'messages']) {
      it(`without ${name}: invalid_json_request that names it`, () => {
        expect(saidOf({ [name]: undefined })).include({
          code: 'invalid_json_request',
          status: 400,
          param: name,
          message: `The body lacks the required field '${name}'.`,
        })
      })
    }
  })

  describe('with members that this route does not support: unsupported_parameter', () => {
    // Mistakes, members that engines would accept, members of the operator, and members of other APIs.
    const names = [
      ...['foo', 'Temperature', '__proto__', 'constructor', 'toString', ''],
      ...['priority', 'request_id', 'kv_transfer_params', 'cache_salt', 'session_id', 'vllm_xargs', 'rid', 'lora_path'],
      ...['guided_json', 'guided_regex', 'structured_outputs', 'ebnf', 'json_schema', 'input_ids', 'documents'],
      ...['functions', 'function_call', 'audio', 'web_search_options', 'moderation', 'previous_response_id'],
      ...['extra_body', 'api_base', 'base_url', 'enable_thinking', 'include_reasoning', 'ignore_eos', 'min_tokens'],
    ]
    for (const name of names) {
      it(`'${name}'`, () => {
        const body = bodyWith({})
        Object.defineProperty(body, name, { value: {}, enumerable: true })
        expect(refusalOf(() => validate(body))).include({ code: 'unsupported_parameter', status: 400, param: name })
      })
    }

    const nested: readonly [JsonObject, string][] = [
      [{ tools: [{ type: 'function', function: { name: 'f' }, foo: 1 }] }, 'tools.0.foo'],
      [{ tools: [{ type: 'function', function: { name: 'f', foo: 1 } }] }, 'tools.0.function.foo'],
      [{ tool_choice: { type: 'function', function: { name: 'f' }, foo: 1 } }, 'tool_choice.foo'],
      [{ response_format: { type: 'text', schema: {} } }, 'response_format.schema'],
      [
        { response_format: { type: 'json_schema', json_schema: { name: 'n', foo: 1 } } },
        'response_format.json_schema.foo',
      ],
      [{ reasoning: { exclude: true } }, 'reasoning.exclude'],
      [{ thinking: { type: 'enabled', display: 'x' } }, 'thinking.display'],
      [{ chat_template_kwargs: { custom: true } }, 'chat_template_kwargs.custom'],
      [{ messages: [{ role: 'assistant', content: 'a', function_call: {} }] }, 'messages.0.function_call'],
      [{ messages: [{ role: 'assistant', content: 'a', prefix: true }] }, 'messages.0.prefix'],
      [{ messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'messages.0.audio'],
    ]
    for (const [members, param] of nested) {
      it(`'${param}'`, () => {
        expect(saidOf(members)).include({ code: 'unsupported_parameter', status: 400, param })
      })
    }
  })

  it('with members that have no effect are accepted, whatever their value', () => {
    const names = ['user', 'store', 'metadata', 'service_tier', 'prompt_cache_key', 'safety_identifier', 'verbosity']
    for (const name of [...names, 'prompt_cache_retention', 'prediction']) {
      for (const value of ['x', 1, true, {}, [], null]) validate(bodyWith({ [name]: value }))
    }
    validate(bodyWith({ stream_options: { include_usage: false, include_obfuscation: true } }))
    validate(bodyWith({ tools: [{ type: 'function', cache_control: {}, function: { name: 'f', cache_control: {} } }] }))
  })

  it('with messages as servers write them are accepted', () => {
    const annotated = {
      role: 'assistant',
      content: 'a',
      annotations: [],
      audio: null,
      refusal: null,
      parsed: {},
      id: 'x',
    }
    const part = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }
    validate(bodyWith({ messages: [annotated, { role: 'user', content: [part], id: 'm1' }] }))
  })

  describe('with wrong values: schema_validation_failed', () => {
    const cases: readonly [JsonObject, string, string][] = [
      [{ model: 5 }, 'model', 'must be a string'],
      [{ model: '' }, 'model', 'must be a string that is not empty'],
      [{ model: null }, 'model', 'must be a string'],
      [{ messages: [] }, 'messages', 'must be an array that is not empty'],
      [{ messages: {} }, 'messages', 'must be an array'],
      [{ messages: ['x'] }, 'messages.0', 'must be an object'],
      [{ stream: 'yes' }, 'stream', 'must be true or false'],
      [{ n: 0 }, 'n', 'must be at least 1'],
      [{ n: 129 }, 'n', 'must be at most 128'],
      [{ n: 1.5 }, 'n', 'must be a whole number'],
      [{ max_tokens: 0 }, 'max_tokens', 'must be at least 1'],
      [{ max_completion_tokens: -1 }, 'max_completion_tokens', 'must be at least 1'],
      [{ max_tokens: 1e12 }, 'max_tokens', 'must be at most 2147483647'],
      [{ stop: 5 }, 'stop', 'must be a string or an array'],
      [{ stop: '' }, 'stop', 'must be a string that is not empty'],
      [{ stop: ['a', ''] }, 'stop.1', 'must be a string that is not empty'],
      [{ stop: Array(17).fill('a') }, 'stop', 'must be an array of at most 16 items'],
      [{ temperature: -0.1 }, 'temperature', 'must be at least 0'],
      [{ temperature: 2.1 }, 'temperature', 'must be at most 2'],
      [{ temperature: 'hot' }, 'temperature', 'must be a number'],
      [{ top_p: 0 }, 'top_p', 'must be greater than 0'],
      [{ top_p: 1.1 }, 'top_p', 'must be at most 1'],
      [{ top_k: -2 }, 'top_k', 'must be at least -1'],
      [{ min_p: 1.1 }, 'min_p', 'must be at most 1'],
      [{ presence_penalty: 2.1 }, 'presence_penalty', 'must be at most 2'],
      [{ frequency_penalty: -2.1 }, 'frequency_penalty', 'must be at least -2'],
      [{ repetition_penalty: 0 }, 'repetition_penalty', 'must be greater than 0'],
      [{ repetition_penalty: 1e9 }, 'repetition_penalty', 'must be at most 2'],
      [{ seed: 2 ** 60 }, 'seed', 'must be at most 9007199254740991'],
      [{ logit_bias: { 7: 101 } }, 'logit_bias.7', 'must be at most 100'],
      [{ logit_bias: { x: 1 } }, 'logit_bias.x', 'must be written like ^[0-9]{1,9}$'],
      [{ logprobs: 5 }, 'logprobs', 'must be true or false'],
      [{ top_logprobs: 21 }, 'top_logprobs', 'must be at most 20'],
      [{ tools: {} }, 'tools', 'must be an array'],
      [{ tools: [{}] }, 'tools.0.type', 'is required'],
      [{ tools: [{ type: 'function' }] }, 'tools.0.function', 'is required'],
      [{ tools: [{ type: 'function', function: {} }] }, 'tools.0.function.name', 'is required'],
      [
        { tools: [{ type: 'function', function: { name: '' } }] },
        'tools.0.function.name',
        'must be a string that is not empty',
      ],
      [{ tool_choice: 'any' }, 'tool_choice', "must be 'auto', 'none' or 'required'"],
      [{ tool_choice: 5 }, 'tool_choice', 'must be a string or an object'],
      [{ tool_choice: { type: 'function' } }, 'tool_choice.function', 'is required'],
      [{ tool_choice: { type: 'allowed_tools', function: { name: 'f' } } }, 'tool_choice.type', "must be 'function'"],
      [{ parallel_tool_calls: 1 }, 'parallel_tool_calls', 'must be true or false'],
      [{ response_format: 'json' }, 'response_format', 'must be an object'],
      [{ response_format: {} }, 'response_format.type', 'is required'],
      [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema', 'is required'],
      [{ response_format: { type: 'json_object', schema: [] } }, 'response_format.schema', 'must be an object'],
      [{ regex: {} }, 'regex', 'must be a string'],
      [{ reasoning_effort: 'ultra' }, 'reasoning_effort', "must be 'none', 'low', 'medium', 'high' or 'max'"],
      [{ reasoning: { effort: 5 } }, 'reasoning.effort', "must be 'none', 'low', 'medium', 'high' or 'max'"],
      [{ thinking: {} }, 'thinking.type', 'is required'],
      [{ thinking: { type: 'adaptive' } }, 'thinking.type', "must be 'enabled' or 'disabled'"],
      [{ thinking: { type: 'enabled', keep: 'some' } }, 'thinking.keep', "must be 'all'"],
      [{ preserve_thinking: 'all' }, 'preserve_thinking', 'must be true or false'],
      [{ modalities: ['text', 'audio'] }, 'modalities.1', "must be 'text'"],
    ]
    for (const [members, param, words] of cases) {
      it(`${param} ${words}`, () => {
        const message = `'${param}' ${words}.`
        expect(saidOf(members)).include({ code: 'schema_validation_failed', status: 422, param, message })
      })
    }

    const inMessages: readonly [Json, string, string][] = [
      [{}, 'role', 'is required'],
      [{ role: 'robot' }, 'role', "must be 'system', 'developer', 'user', 'assistant' or 'tool'"],
      [{ role: 5 }, 'role', "must be 'system', 'developer', 'user', 'assistant' or 'tool'"],
      [{ role: 'user' }, 'content', 'is required'],
      [{ role: 'system', content: null }, 'content', 'must be a string or an array'],
      [{ role: 'user', content: [5] }, 'content.0', 'must be an object'],
      [{ role: 'user', content: [{ text: 'a' }] }, 'content.0.type', 'is required'],
      [{ role: 'user', content: [{ type: 'text' }] }, 'content.0.text', 'is required'],
      [{ role: 'user', content: [{ type: 'image_url' }] }, 'content.0.image_url', 'is required'],
      [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }, 'content.0.image_url', 'must be an object'],
      [{ role: 'tool', tool_call_id: 5 }, 'tool_call_id', 'must be a string'],
      [{ role: 'assistant', tool_calls: [{ id: 'c' }] }, 'tool_calls.0.function', 'is required'],
      [
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] },
        'tool_calls.0.function.arguments',
        'must be a string',
      ],
    ]
    for (const [message, member, words] of inMessages) {
      it(`messages.0.${member} ${words}`, () => {
        const param = `messages.0.${member}`
        expect(saidOfMessage(message)).include({
          code: 'schema_validation_failed',
          status: 422,
          param,
          message: `'${param}' ${words}.`,
        })
      })
    }
  })

  it('are accepted with mistakes that have a specific code, which a rule raises', () => {
    validate(bodyWith({ tools: [{ type: 'custom', custom: {} }] }))
    validate(bodyWith({ tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] }))
    validate(bodyWith({ tool_choice: { type: 'function', function: { name: 'unknown' } } }))
    validate(bodyWith({ messages: [{ role: 'tool', content: 'x' }] }))
    validate(bodyWith({ response_format: { type: 'grammar' } }))
    validate(bodyWith({ response_format: { type: 'grammar', grammar: 5, syntax: 'lark' } }))
    validate(bodyWith({ response_format: { type: 'structural_tag', structures: [] } }))
    validate(bodyWith({ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }))
    validate(bodyWith({ regex: '(((' }))
  })

  it('never have their patterns executed', () => {
    const evil = '^(a+)+$'
    // This pattern backtracks exponentially.
    validate(bodyWith({ regex: evil, response_format: { type: 'grammar', grammar: `root ::= /${evil}/` } }))
    const schema = { type: 'string', pattern: evil, default: `${'a'.repeat(50)}!` }
    validate(bodyWith({ tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] }))
  })

  it('are refused without quoting their content', () => {
    const canary = 'canary-7f3a'
    const text = { role: 'user', content: canary }
    const wrong: JsonObject[] = [
      { messages: [{ ...text, role: canary }] },
      { messages: [text, { role: 'assistant', content: 5, reasoning_content: canary }] },
      { messages: [text], temperature: canary },
      { messages: [text], stop: [canary, 5] },
      { messages: [text], tool_choice: canary },
      { messages: [text], reasoning_effort: canary },
      { messages: [text], tools: [{ type: 'function', function: { name: canary, description: 5 } }] },
    ]
    for (const members of wrong) expect(JSON.stringify(saidOf(members))).not.include(canary)
  })

  it('are not changed, and cause no error other than a refusal', () => {
    const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    const names = ['model', 'messages', 'tools', 'tool_choice', 'stop', 'response_format', 'reasoning', 'thinking', 'n']
    const body = fc.dictionary(fc.constantFrom(...names, '__proto__', 'x'), anything).map(members => bodyWith(members))
    fc.assert(
      fc.property(body, value => {
        const before = JSON.stringify(value)
        try {
          validate(value)
        } catch (thrown) {
          expect(thrown).instanceOf(GatewayError)
        }
        expect(JSON.stringify(value)).equal(before)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Paths of the ignored members of a body. */
function pathsOf(name: string, body: JsonObject): readonly string[] {
  const ignored = bodyValidator(name)(body)
  return (ignored?.named ?? []).map(member => [...member.path, member.name].join('.'))
}

const chat = (messages: JsonObject[], more: JsonObject = {}) => ({ model: 'm', messages, ...more })
const messages = (content: Json, more: JsonObject = {}) => ({
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content }],
  ...more,
})
const responses = (item: JsonObject, more: JsonObject = {}) => ({ model: 'm', input: [item], ...more })

describe('members that are ignored', () => {
  it('are members that no schema names, in messages, parts, tool calls and stream_options', () => {
    const call = { id: 'c', type: 'function', extra: 1, function: { name: 'f', arguments: '{}', odd: 1 } }
    const body = chat(
      [
        { role: 'user', content: [{ type: 'text', text: 'Hi', a: 1 }], b: 1 },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:', format: 'png' }, id: 'i' }] },
        { role: 'assistant', tool_calls: [call], weight: 0 },
      ],
      { stream_options: { include_usage: true, fast: true } },
    )
    expect(pathsOf('chat-completions', body)).members([
      'messages.0.content.0.a',
      'messages.0.b',
      'messages.1.content.0.image_url.format',
      'messages.1.content.0.id',
      'messages.2.tool_calls.0.function.odd',
      'messages.2.tool_calls.0.extra',
      'messages.2.weight',
      'stream_options.fast',
    ])
    const text = { model: 'm', prompt: 'Hi', stream_options: { include_usage: true, odd: 1 } }
    expect(pathsOf('completions', text)).deep.equal(['stream_options.odd'])
  })

  it('of Messages include settings of tools that the vendor would run', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x', e: 1 }], d: 1 }
    const body = messages([{ type: 'text', text: 'x', citations: [] }, result], {
      system: [{ type: 'text', text: 'x', c: 1, cache_control: {} }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
    })
    const expected = [
      'messages.0.content.0.citations',
      'messages.0.content.1.content.0.e',
      'messages.0.content.1.d',
      'system.0.c',
      'tools.0.max_uses',
    ]
    expect(pathsOf('messages', body)).members(expected)
    const { max_tokens: _, ...counted } = body
    expect(pathsOf('count-tokens', counted)).members(expected)
  })

  it('of Responses include those of items without type', () => {
    const part = { type: 'input_text', text: 'Hi', a: 1 }
    const item = { role: 'user', content: [part], phase: 'x' }
    const expected = ['input.0.content.0.a', 'input.0.phase']
    expect(pathsOf('responses', responses({ type: 'message', ...item }))).members(expected)
    expect(pathsOf('responses', responses(item))).members(expected)
    const more = { stream_options: { include_obfuscation: false }, tools: [{ type: 'web_search', filters: {} }] }
    expect(pathsOf('responses', responses({ type: 'reasoning', odd: 1 }, more))).members([
      'stream_options.include_obfuscation',
      'tools.0.filters',
    ])
  })

  it('are no members of replies, no null, and no members that are documented as without effect', () => {
    const call = { id: 'c', type: 'function', index: 0, function: { name: 'f', arguments: '{}' } }
    const assistant = { role: 'assistant', content: 'x', refusal: null, annotations: null, reasoning_content: 'y' }
    expect(pathsOf('chat-completions', chat([{ ...assistant, tool_calls: [call] }], { user: 'u' }))).empty
    const blocks = [
      { type: 'thinking', thinking: 'x', signature: '' },
      { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
    ]
    expect(pathsOf('messages', messages(blocks, { metadata: { a: 1 } }))).empty
    const output = { type: 'output_text', text: 'x', annotations: [], logprobs: [] }
    const item = { type: 'message', id: 'i', status: 'completed', role: 'assistant', content: [output] }
    expect(pathsOf('responses', responses(item))).empty
    const result = { type: 'function_call', id: 'i', status: 'completed', call_id: 'c', name: 'f', arguments: '{}' }
    expect(pathsOf('responses', responses(result))).empty
  })

  it('are no members that would change the behaviour of the model, which are refused', () => {
    for (const name of ['prefix', 'partial', 'audio', 'function_call']) {
      const body = chat([{ role: 'assistant', content: 'x', [name]: true }])
      expect(() => bodyValidator('chat-completions')(body), name).throw(`messages.0.${name}`)
    }
  })

  it('are named up to eight and counted after that, per body, also after a refusal', () => {
    const check = bodyValidator('chat-completions')
    const many = chat(Array.from({ length: 100 }, () => ({ role: 'user', content: 'Hi', x: 1 })))
    expect(check(many)).include({ count: 100 })
    expect(pathsOf('chat-completions', many)).lengthOf(8).include('messages.7.x')
    expect(() => check(chat([{ role: 'user', content: 'Hi', x: 1 }], { temperature: 'hot' }))).throw()
    expect(check(chat([{ role: 'user', content: 'Hi' }]))).equal(undefined)
  })

  it('have the index of their item in a long conversation, and are listed once outside of it', () => {
    const long = Array.from({ length: 2500 }, (_, i) => ({
      role: 'user',
      content: 'Hi',
      ...(i === 2400 && { '__proto__/~x': 1 }),
    }))
    const body = chat(long, { stream_options: { fast: 1 } })
    expect(pathsOf('chat-completions', body)).deep.equal(['messages.2400.__proto__/~x', 'stream_options.fast'])
    expect(bodyValidator('chat-completions')(body)).include({ count: 2 })
  })

  it('cost a fraction of the check', () => {
    const messages = Array.from({ length: 900 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
    }))
    const body = chat(messages)
    const check = bodyValidator('chat-completions')
    const text = JSON.stringify(body)
    expectCheap(
      () => {
        for (let i = 0; i < 20; i++) check(body)
      },
      () => {
        for (let i = 0; i < 20; i++) JSON.parse(text)
      },
      3,
    )
  })
})
