import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { ERRORS, type ErrorCode } from '../../lib/errors/errors.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { pooled } from '../support/by-hand.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { Sender, type Sent } from '../support/sender.ts'

/** About a second on an idle machine. */
const IN_TIME_MS = 60_000

const SCHEMA = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/a' }, b: { type: 'array', items: { enum: [1, null, 'x'] } } },
  required: ['a'],
  $defs: { a: { type: 'string', description: 'an a' } },
}
const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":"1"}' } }

/** A valid body with as many members as possible, for each route with a body. */
const VALID: Readonly<Record<string, JsonObject>> = {
  '/v1/chat/completions': {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.', name: 'boss' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ],
    temperature: 0.5,
    top_p: 0.9,
    n: 2,
    stop: ['END'],
    max_tokens: 50,
    logit_bias: { '5': 1 },
    logprobs: true,
    top_logprobs: 2,
    seed: 7,
    tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'out', schema: SCHEMA, strict: true } },
    reasoning: { effort: 'low', enabled: true },
    thinking: { type: 'enabled', keep: 'all' },
    chat_template_kwargs: { enable_thinking: true },
    stream_options: { include_usage: false },
    metadata: { a: 'b' },
  },
  '/v1/completions': {
    model: 'm',
    prompt: [[1, 2, 3], [4]],
    n: 1,
    best_of: 1,
    echo: false,
    suffix: 'x',
    max_tokens: 5,
    logprobs: 1,
    stop: 'END',
    structured_outputs: { json: SCHEMA },
  },
  '/v1/messages': {
    model: 'm',
    max_tokens: 50,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: '' },
          { type: 'text', text: 'so' },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: ['1', null, { b: 2 }] } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'ok' }], is_error: true },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
    tools: [
      { name: 'f', description: 'd', input_schema: SCHEMA },
      { type: 'bash_20250124', name: 'bash' },
    ],
    tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    output_config: { effort: 'low' },
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
  },
  '/v1/messages/count_tokens': {
    model: 'm',
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [{ name: 'f', input_schema: SCHEMA }],
  },
  '/v1/responses': {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":"1"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
    ],
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: true },
      { type: 'web_search' },
      { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'g', parameters: SCHEMA }] },
    ],
    tool_choice: { type: 'function', name: 'f' },
    text: { format: { type: 'json_schema', name: 'out', schema: SCHEMA, strict: true } },
    reasoning: { effort: 'high', summary: 'auto' },
    max_output_tokens: 50,
    include: ['x'],
    metadata: { a: 'b' },
  },
}
const ROUTES = Object.keys(VALID)

/** Invalid JSON that some parsers accept. */
const NOT_JSON: readonly string[] = [
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '{]',
  '[}',
  '{}}',
  '[]]',
  '{}{}',
  '{} x',
  '{},',
  ',',
  ':',
  '"',
  '"\\',
  '"a',
  "'a'",
  '""x',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  '{"a"::1}',
  '{"a" 1}',
  '{a:1}',
  "{'a':1}",
  '{"a":1',
  '{"a":"',
  '{"a":"\\"}',
  '{1:2}',
  '{null:1}',
  '{"a":[}',
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1 2]}',
  '{"a":[1',
  '{"a":"b":"c"}',
  '[1:2]',
  '["a":1]',
  'nul',
  'nulll',
  'True',
  'FALSE',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '-',
  '+1',
  '01',
  '-01',
  '1.',
  '.5',
  '-.5',
  '1e',
  '1e+',
  '1.e5',
  '0x10',
  '1_000',
  '1 000',
  '0b1',
  '0o7',
  '１',
  '{"a":NaN}',
  '{"a":-Infinity}',
  '{"a":+1}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":0x1}',
  '{"a":1e}',
  '{"a":--1}',
  '{"a":1.2.3}',
  '"\\x41"',
  '"\\u12"',
  '"\\u12g4"',
  '"\\U1234"',
  '"\\\'"',
  '"\\ "',
  '"\\0"',
  '"\t"',
  '"\n"',
  '"\r"',
  '"\0"',
  '"a\u0001"',
  '{"a\n":1}',
  '/* c */{}',
  '{/* c */}',
  '{}// c',
  '# c\n{}',
  '<json/>',
  '--\n{}',
  ")]}',\n{}",
  'a=b',
  'a=b&c=d',
  '\u2028{}',
  '\ufeff{}',
  '\u00a0{}',
  '\f{}',
  '\v{}',
  '{"a":1}\0',
  '\0{}',
  '{"a":tru}',
  '{"a":`b`}',
  'data: {}\n\n',
  '{"model":"m","messages":[{"role":"user","content":"x"}]',
  'function(){}',
  '{"a":1}garbage',
  'null null',
  '[1][2]',
  'x'.repeat(1000),
  '('.repeat(1000),
]

/** JSON that is not an object. */
const NO_OBJECT = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1e400',
  '""',
  '"{}"',
  '[]',
  '[{}]',
  '[[]]',
  ' 1 ',
  '"\\ud800"',
  '[null]',
  '1.0',
  '"a"',
]

/** Bytes inside a string that are not valid UTF-8. */
const NOT_UTF8 = [
  '80',
  'ff',
  'fe',
  'c0af',
  'c1bf',
  'e080af',
  'f08080af',
  'eda080',
  'edbfbf',
  'f4908080',
  'f8888080',
  'c3',
  'e282',
  'f09f98',
  'fffe',
].map(hex => Buffer.concat([Buffer.from('{"model":"m","prompt":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]))

const nested = (levels: number, open = '[', close = ']', inside = '') =>
  open.repeat(levels) + inside + close.repeat(levels)

describe('bad bodies', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let sender: Sender

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({
      backends: [backend.url],
      model: {
        // Some of these conversations are long.
        max_model_len: 1_000_000,
        capabilities: {
          tools: true,
          reasoning: true,
          chat_completions: {
            n: true,
            regex: true,
            grammar: true,
            structured_outputs: true,
            tools: true,
            streaming_tools: true,
            preserve_thinking: true,
            suffix: true,
          },
        },
      },
      more: { body_limit_bytes: 2_000_000 },
    })
    sender = new Sender(gateway.url)
  })

  after(async () => {
    sender?.close()
    await gateway?.close()
    await backend?.close()
  })

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    expect(({} as JsonObject).polluted).equal(undefined)
  })

  /** Every response is in time, has a code of the table with its status, and reveals nothing about the machine. */
  const check = (path: string, { status, text, headers, ms }: Sent, what: string): ErrorCode | undefined => {
    expect(status, `${what}: ${text.slice(0, 300)}`).below(500)
    expect(ms, what).below(IN_TIME_MS)
    if (status < 400) return undefined
    const body = JSON.parse(text) as {
      type?: string
      error: { code: ErrorCode; type: string; message: string; request_id: string }
    }
    const { code, type, message, request_id } = body.error
    expect(Object.hasOwn(ERRORS, code), `${what}: ${code}`).equal(true)
    expect([status, type], what).deep.equal(ERRORS[code].slice(0, 2))
    expect(request_id).equal(headers['x-request-id'])
    expect(body.type, what).equal(path.startsWith('/v1/messages') ? 'error' : undefined)
    expect(message, what).not.match(/node:|\.ts\b|\/work\/|undefined|\[object|Unexpected token|\x7f/)
    expect(text.length, what).below(3000)
    return code
  }

  const each = async (bodies: readonly (string | Buffer)[], code: ErrorCode | undefined) => {
    const tries = ROUTES.flatMap(path => bodies.map(body => ({ path, body })))
    await pooled(tries, 32, async ({ path, body }) => {
      const what = `${path} ${JSON.stringify(body.toString().slice(0, 60))}`
      const got = check(path, await sender.post(path, body), what)
      if (code !== undefined) expect(got, what).equal(code)
    })
  }

  it('take every valid body first', async () => {
    for (const path of ROUTES) {
      const sent = await sender.post(path, JSON.stringify(VALID[path]))
      expect(sent.status, `${path} ${sent.text}`).equal(200)
    }
  })

  it('that are no JSON', () => each(NOT_JSON, 'invalid_json_request'))
  it('that are empty', () => each([''], 'invalid_json_request'))
  it('that are no object', () => each(NO_OBJECT, 'invalid_json_request'))
  it('that are no UTF-8', () =>
    each(
      [
        ...NOT_UTF8,
        Buffer.from('\ufeff{}', 'utf16le'),
        Buffer.from('{}', 'utf16le'),
        Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]),
        Buffer.alloc(1000),
      ],
      'invalid_json_request',
    ))
  it('that lack everything', () => each(['{}', '{"model":"m"}', '{"model":null}'], 'invalid_json_request'))
  it('that are compressed', async () => {
    for (const path of ROUTES) {
      for (const encoding of ['deflate', 'gzip, identity', 'gzip, br', '__proto__']) {
        const sent = await sender.post(path, JSON.stringify(VALID[path]), { 'content-encoding': encoding })
        expect(check(path, sent, encoding)).equal('http_415')
        expect(sent.headers['accept-encoding']).equal('gzip, br, zstd')
      }
      for (const [encoding, compress] of [
        ['gzip', gzipSync],
        ['br', brotliCompressSync],
        ['zstd', zstdCompressSync],
      ] as const) {
        const sent = await sender.post(path, compress(JSON.stringify(VALID[path])), { 'content-encoding': encoding })
        expect([path, encoding, sent.status]).deep.equal([path, encoding, 200])
      }
    }
  })

  it('of any content type are read as JSON', async () => {
    for (const path of ROUTES) {
      for (const type of [
        'text/plain',
        'application/json; charset=utf-16',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        '',
        'x',
      ]) {
        const sent = await sender.post(path, JSON.stringify(VALID[path]), { 'content-type': type })
        expect(sent.status, type).equal(200)
      }
    }
  })

  it('that nest 100,000 levels, in small bodies and large', async () => {
    for (const levels of [200, 5000, 100_000, 300_000]) {
      await each([nested(levels), nested(levels, '{"a":', '}', '1')], undefined)
      const deep = ROUTES.flatMap(path =>
        Object.keys(VALID[path]!).map(name => ({
          path,
          body: JSON.stringify({ ...VALID[path], [name]: 'HERE' }).replace('"HERE"', nested(levels)),
        })),
      )
      await pooled(deep, 8, async ({ path, body }) => {
        expect(check(path, await sender.post(path, body), path), path).equal('schema_validation_failed')
      })
    }
  })

  it('that have very many members', async () => {
    const wide = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]))
    for (const path of ROUTES) {
      const valid = VALID[path]!
      const bodies: JsonObject[] = [
        { ...valid, ...wide(20_000) },
        { ...valid, metadata: wide(20_000) },
        {
          ...valid,
          tools: Array.from({ length: 5000 }, (_, i) => ({
            type: 'function',
            name: `f${i}`,
            function: { name: `f${i}` },
          })),
        },
        {
          ...valid,
          tools: [
            {
              type: 'function',
              name: 'f',
              function: { name: 'f', parameters: { type: 'object', properties: wide(20_000) } },
            },
          ],
        },
        { ...valid, messages: Array(20_000).fill(0), input: Array(20_000).fill(0), prompt: Array(20_000).fill('x') },
        { ...valid, stop: Array(20_000).fill('x'), stop_sequences: Array(20_000).fill('x') },
        { ...valid, logit_bias: wide(20_000) },
      ]
      for (const body of bodies) check(path, await sender.post(path, JSON.stringify(body)), `${path} wide`)
    }
  })

  it('with long runs of one role take linear time', async () => {
    const many = <T>(make: (i: number) => T, n = 10_000): T[] => Array.from({ length: n }, (_, i) => make(i))
    const calls = many(i => ({ id: `c${i}`, type: 'function', function: { name: 'f', arguments: '{}' } }), 5000)
    const runs: readonly (readonly [string, JsonObject])[] = [
      ['/v1/messages', { messages: many(() => ({ role: 'assistant', content: 'text' })) }],
      [
        '/v1/messages',
        {
          messages: many(
            i => ({ role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'f', input: {} }] }),
            10_000,
          ),
        },
      ],
      [
        '/v1/messages',
        { messages: many(() => ({ role: 'system', content: 'text' }), 9999).concat({ role: 'user', content: 'hi' }) },
      ],
      ['/v1/messages', { messages: many(() => ({ role: 'user', content: 'text' })) }],
      ['/v1/messages', { messages: [{ role: 'user', content: many(() => ({ type: 'text', text: 'text' })) }] }],
      ['/v1/messages/count_tokens', { messages: many(() => ({ role: 'assistant', content: 'text' })) }],
      ['/v1/chat/completions', { messages: many(() => ({ role: 'assistant', content: 'text' })) }],
      ['/v1/chat/completions', { messages: many(() => ({ role: 'system', content: 'text' })) }],
      [
        '/v1/chat/completions',
        {
          messages: [
            { role: 'assistant', tool_calls: calls },
            { role: 'user', content: 'text' },
            ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
          ],
        },
      ],
      ['/v1/responses', { input: many(() => ({ type: 'message', role: 'assistant', content: 'text' }), 10_000) }],
      [
        '/v1/responses',
        { input: many(i => ({ type: 'function_call', call_id: `c${i}`, name: 'f', arguments: '{}' }), 10_000) },
      ],
      [
        '/v1/responses',
        {
          input: many(
            i =>
              i === 0
                ? { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
                : { type: 'message', role: 'assistant', content: 'text' },
            10_000,
          ),
        },
      ],
      ['/v1/completions', { prompt: many(() => 'text', 2048) }],
      ['/v1/completions', { prompt: many(() => [1, 2], 2048) }],
    ]
    for (const [path, members] of runs) {
      const required = path === '/v1/messages' ? { max_tokens: 5 } : {}
      const body = JSON.stringify({ model: 'm', ...required, ...members })
      const sent = await sender.post(path, body)
      expect([sent.status, sent.ms < IN_TIME_MS], `${path} ${body.slice(0, 120)} ${Math.round(sent.ms)} ms`).deep.equal(
        [200, true],
      )
    }
  })

  it('with members that every object has', async () => {
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '__defineGetter__',
      'valueOf',
      'toJSON',
      'length',
      'then',
      '',
    ]
    const values = [
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '{"polluted":"yes"}',
      '{"prototype":{"polluted":"yes"}}',
      '{"__proto__":{"polluted":"yes"}}',
    ]
    /** One text per object in the value, with the member added to that object. */
    const planted = (value: Json | undefined, member: string): string[] => {
      if (typeof value !== 'object' || value === null) return []
      const texts: string[] = []
      if (!Array.isArray(value)) {
        const text = JSON.stringify(value)
        texts.push(text === '{}' ? `{${member}}` : `{${member},${text.slice(1)}`)
      }
      for (const [name, inner] of Object.entries(value)) {
        for (const text of planted(inner, member)) {
          const parts = Object.entries(value).map(([other, one]) => {
            const written = other === name ? text : JSON.stringify(one)
            return Array.isArray(value) ? written : `${JSON.stringify(other)}:${written}`
          })
          texts.push(Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`)
        }
      }
      return texts
    }
    const tries = ROUTES.flatMap(path =>
      names.flatMap((name, n) =>
        values.flatMap((value, v) =>
          // All names with one value, and all values with one name, at each path.
          (n + v) % 8 === 0 || (name === '__proto__' && v > 4)
            ? planted(VALID[path], `${JSON.stringify(name)}:${value}`).map(body => ({ path, body }))
            : [],
        ),
      ),
    )
    expect(tries.length).greaterThan(500)
    await pooled(
      tries,
      32,
      async ({ path, body }) => void check(path, await sender.post(path, body), `${path} ${body.slice(0, 200)}`),
    )
  })

  it('with duplicate members, very long numbers, split characters', async () => {
    const texts = [
      '"model":"m","model":"n"',
      '"stream":true,"stream":1',
      '"temperature":1e400',
      '"temperature":-1e400',
      '"temperature":1e-400',
      '"max_tokens":1e3',
      '"max_tokens":99999999999999999999',
      '"max_tokens":1.5',
      '"max_tokens":-0',
      '"max_tokens":2147483648',
      '"seed":9007199254740993',
      '"n":1e308',
      '"n":0',
      '"n":129',
      '"top_p":0',
      '"top_k":-2',
      '"user":"\\ud800"',
      '"stop":"\\udc00"',
      '"stop":["\\ud83d"]',
      '"model":"\\ud800"',
      '"model":""',
      '"model":"m\\u0000"',
      '"model":"__proto__"',
      '"model":"constructor"',
      `"model":"${'m'.repeat(100_000)}"`,
      '"regex":"(a+)+$"',
      `"regex":"${'('.repeat(50_000)}"`,
      '"regex":"[[[\\\\"',
      '"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"pattern":"(((((x+)+)+)+)+)+$"}}}',
      `"response_format":{"type":"${'g'.repeat(100_000)}"}`,
      `"tool_choice":{"type":"function","function":{"name":"${'t'.repeat(100_000)}"}}`,
    ]
    const tries = ROUTES.flatMap(path =>
      texts.map(text => ({ path, body: `${JSON.stringify(VALID[path]).slice(0, -1)},${text}}` })),
    )
    await pooled(
      tries,
      16,
      async ({ path, body }) => void check(path, await sender.post(path, body), `${path} ${body.slice(-100)}`),
    )
  })

  it('that expand references exponentially', async () => {
    const long = 'x'.repeat(100_000)
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, { $ref: '#/$defs/d' }]))
    const bomb = { type: 'object', properties, $defs: { d: { type: 'string', description: long } } }
    const laughs = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/l0' } },
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [
          `l${i}`,
          { allOf: Array(10).fill(i === 39 ? { type: 'string' } : { $ref: `#/$defs/l${i + 1}` }) },
        ]),
      ),
    }
    for (const schema of [bomb, laughs, { ...bomb, title: 'y'.repeat(600_000) }]) {
      for (const path of ROUTES) {
        const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
        const bodies: JsonObject[] = [
          {
            ...VALID[path],
            tools: [
              {
                type: 'function',
                name: 'f',
                input_schema: schema,
                parameters: schema,
                function: { name: 'f', parameters: schema },
              },
            ],
          },
          { ...VALID[path], response_format: format },
          { ...VALID[path], text: { format: { type: 'json_schema', name: 'x', schema } } },
        ]
        for (const body of bodies) {
          const code = check(path, await sender.post(path, JSON.stringify(body)), `${path} bomb`)
          expect(code, path).be.a('string')
        }
      }
    }
  })

  it('that are changed at random never get a 5xx', async () => {
    const strange: fc.Arbitrary<string> = fc.oneof(
      fc.constantFrom(
        'null',
        'true',
        'false',
        '0',
        '-1',
        '1.5',
        '1e400',
        '""',
        '"x"',
        '[]',
        '{}',
        '[[]]',
        '[{}]',
        '[null]',
        '{"type":"text"}',
        '"\\u0000"',
      ),
      fc.constantFrom(
        '{"$ref":"#"}',
        '{"$ref":"#/$defs/a"}',
        '{"type":"function"}',
        '{"type":"text","text":1}',
        '{"role":"user"}',
        '{"__proto__":null}',
      ),
      fc.json({ maxDepth: 3 }),
      fc.constant(JSON.stringify('y'.repeat(70_000))),
    )
    const change = fc.record({
      path: fc.constantFrom(...ROUTES),
      at: fc.nat(),
      how: fc.constantFrom('replace', 'remove', 'add', 'double', 'wrap'),
      value: strange,
    })
    const bodies = fc.sample(fc.array(change, { minLength: 1, maxLength: 4 }), { seed: 20261121, numRuns: 1500 })
    await pooled(bodies, 32, async changes => {
      const { path } = changes[0]!
      let body = JSON.stringify(VALID[path])
      for (const { at, how, value } of changes) body = changed(body, at, how, value)
      check(path, await sender.post(path, body), `${path} ${body.slice(0, 600)}`)
    })
  })
})

/** A JSON text in which value number `at` is changed. */
function changed(text: string, at: number, how: string, value: string): string {
  const marks: { holder: JsonObject | Json[]; name: string }[] = []
  const root = JSON.parse(text) as JsonObject
  const visit = (holder: JsonObject | Json[]) => {
    for (const [name, inner] of Object.entries(holder)) {
      marks.push({ holder, name })
      if (typeof inner === 'object' && inner !== null) visit(inner)
    }
  }
  visit(root)
  if (marks.length === 0) return text
  const { holder, name } = marks[at % marks.length]!
  const members = holder as JsonObject
  const HERE = 'a place for something else'
  if (how === 'remove') delete members[name]
  else if (how === 'add') members[`${name}_`] = HERE
  else if (how === 'double') members[name] = [members[name] ?? null, members[name] ?? null]
  else if (how === 'wrap') members[name] = { [name]: members[name] }
  else members[name] = HERE
  return JSON.stringify(root).replace(JSON.stringify(HERE), () => value)
}
