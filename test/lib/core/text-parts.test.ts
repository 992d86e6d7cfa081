import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { JsonBody, lazyBody } from '../../../lib/body/index.ts'
import type { FormatName } from '../../../lib/canonical/format.ts'
import { choicesOf, textParts } from '../../../lib/core/text-parts.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { OPTIONS } from '../../support/encoders.ts'

const IMAGE = 'data:image/png;base64,AAAA'

/** A body of each format, with the texts that must be found in it and their `param`. */
const BODIES: Readonly<Record<FormatName, readonly [JsonObject, readonly (readonly [text: string, param: string])[]]>> =
  {
    chat: [
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'text-0' },
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: IMAGE } },
              { type: 'text', text: 'text-1' },
            ],
          },
          {
            role: 'assistant',
            content: null,
            reasoning_content: 'text-2',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":"text-3"}' } }],
          },
          { role: 'tool', tool_call_id: 'a', content: 'text-4' },
        ],
        tools: [
          { type: 'function', function: { name: 'f', description: 'text-5' } },
          {
            type: 'function',
            function: {
              name: 'g',
              parameters: { properties: { a: { description: 'text-6', enum: ['text-7', 1] } }, required: null },
            },
          },
        ],
      },
      [
        ['text-0', 'messages.0.content'],
        ['text-1', 'messages.1.content.1'],
        ['text-2', 'messages.2.reasoning_content'],
        ['{"a":"text-3"}', 'messages.2.tool_calls.0.function.arguments'],
        ['text-4', 'messages.3.content'],
        ['text-5', 'tools.0.function.description'],
        ['text-6', 'tools.1.function.parameters'],
        ['text-7', 'tools.1.function.parameters'],
      ],
    ],
    messages: [
      {
        model: 'm',
        max_tokens: 5,
        system: [{ type: 'text', text: 'text-0' }],
        messages: [
          { role: 'user', content: 'text-1' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'text-2', signature: '' },
              { type: 'text', text: 'text-3' },
              { type: 'tool_use', id: 'a', name: 'f', input: { a: 'text-4' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: 'text-5' },
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
              { type: 'text', text: 'text-6' },
            ],
          },
          { role: 'assistant', content: 'text-7' },
        ],
        tools: [{ name: 'f', description: 'text-8', input_schema: { properties: { a: { description: 'text-9' } } } }],
      },
      [
        ['text-0', 'system'],
        ['text-1', 'messages.0.content'],
        ['text-3', 'messages.1'],
        ['text-2', 'messages.1'],
        ['{"a":"text-4"}', 'messages.1'],
        ['text-5', 'messages.2.content.0'],
        ['text-6', 'messages.2.content'],
        ['text-7', 'messages.3.content'],
        ['text-8', 'tools.0.description'],
        ['text-9', 'tools.0.input_schema'],
      ],
    ],
    responses: [
      {
        model: 'm',
        instructions: 'text-0',
        input: [
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_image', image_url: IMAGE },
              { type: 'input_text', text: 'text-1' },
              { type: 'input_text', text: 'text-2' },
            ],
          },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a":"text-3"}' },
          { type: 'function_call_output', call_id: 'a', output: 'text-4' },
          { type: 'message', role: 'assistant', content: 'text-5' },
        ],
        tools: [
          {
            type: 'namespace',
            name: 'n',
            tools: [
              {
                type: 'function',
                name: 'f',
                description: 'text-6',
                parameters: { properties: { a: { description: 'text-7' } } },
              },
            ],
          },
        ],
      },
      [
        ['text-0', 'instructions'],
        ['text-1', 'input.0.content'],
        ['text-2', 'input.0.content'],
        ['{"a":"text-3"}', 'input.1'],
        ['text-4', 'input.2'],
        ['text-5', 'input.3.content'],
        ['text-6', 'tools.0.tools.0.description'],
        ['text-7', 'tools.0.tools.0.parameters'],
      ],
    ],
    completions: [
      { model: 'm', prompt: ['text-0', 'text-1'], suffix: 'text-2' },
      [
        ['text-0', 'prompt.0'],
        ['text-1', 'prompt.1'],
        ['text-2', 'suffix'],
      ],
    ],
  }

/** The member of a body at this path; undefined: none. */
const at = (body: Json, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((value, name) => (value as Record<string, Json> | undefined)?.[name], body)

describe('core/text-parts', () => {
  for (const [name, [body, expected]] of Object.entries(BODIES)) {
    const format = formatOf(name as FormatName)
    const translated = (isLazy: boolean) =>
      (isLazy ? lazyBody(body) : new JsonBody(structuredClone(body))).translate(format, OPTIONS)

    it(`finds every text that the model reads, with the path of the client's member: ${name}`, () => {
      for (const request of [translated(false), translated(true)]) {
        const found = [...textParts(request)].map(({ holder, member, param }) => [
          holder[member],
          format.toClientParam(param),
        ])
        expect(found).deep.equal(expected)
      }
      for (const [text, param] of expected) {
        const value = at(body, param)
        // Arguments are an object in Messages and JSON text elsewhere.
        const inner = /text-\d/.exec(text)![0]
        expect(JSON.stringify(value), `${param} holds ${inner}`).contain(inner)
      }
    })

    it(`replaces each of them: ${name}`, () => {
      for (const request of [translated(false), translated(true)]) {
        for (const { holder, member } of textParts(request)) holder[member] = holder[member]!.replace('text-', 'TEXT-')
        expect(JSON.stringify({ ...request, echo: undefined })).not.contain('text-')
        expect([...textParts(request)].map(({ holder, member }) => holder[member])).deep.equal(
          expected.map(([text]) => text.replace('text-', 'TEXT-')),
        )
      }
    })
  }

  it('names the member if prompt or input is one text', () => {
    const params = (name: FormatName, body: JsonObject) => {
      const format = formatOf(name)
      return [...textParts(format.toCanonical(body, OPTIONS))].map(({ param }) => format.toClientParam(param))
    }
    expect(params('completions', { model: 'm', prompt: 'a' })).deep.equal(['prompt'])
    expect(params('responses', { model: 'm', input: 'a' })).deep.equal(['input'])
  })

  it('finds no text in token ids', () => {
    for (const prompt of [
      [1, 2],
      [[1], [2]],
    ]) {
      const request = formatOf('completions').toCanonical({ model: 'm', prompt }, OPTIONS)
      expect([...textParts(request)]).deep.equal([])
    }
  })
})

describe('the number of choices', () => {
  const choices = (name: FormatName, body: JsonObject) =>
    choicesOf(formatOf(name).toCanonical({ model: 'm', ...body }, OPTIONS))

  it('is n per prompt', () => {
    expect(choices('chat', { messages: [{ role: 'user', content: 'a' }] })).equal(1)
    expect(choices('completions', { prompt: 'a', n: 2 })).equal(2)
    expect(choices('completions', { prompt: ['a', 'b', 'c'], n: 2 })).equal(6)
    expect(choices('completions', { prompt: [1, 2, 3] })).equal(1)
    expect(choices('completions', { prompt: [[1], [2]] })).equal(2)
  })
})
