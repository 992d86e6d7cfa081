import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { newCompiler } from '../../../lib/schemas/compiler.ts'
import { IgnoredMembersNote } from '../../../lib/schemas/ignored-members.ts'
import { bodyValidator } from '../../../lib/schemas/schemas.ts'
import { cpuMs } from '../../support/cost.ts'

/** Paths of what a body's check ignores. */
async function pathsOf(name: string, body: JsonObject): Promise<readonly string[]> {
  const ignored = await bodyValidator(name)(body)
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

describe('x-ignore-others', () => {
  it('notes members that no schema names, in messages, parts, tool calls and stream_options', async () => {
    const call = { id: 'c', type: 'function', extra: 1, function: { name: 'f', arguments: '{}', odd: 1 } }
    const body = chat(
      [
        { role: 'user', content: [{ type: 'text', text: 'Hi', a: 1 }], b: 1 },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:', format: 'png' }, id: 'i' }] },
        { role: 'assistant', tool_calls: [call], weight: 0 },
      ],
      { stream_options: { include_usage: true, fast: true } },
    )
    expect(await pathsOf('chat-completions', body)).members([
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
    expect(await pathsOf('completions', text)).deep.equal(['stream_options.odd'])
  })

  it('notes those of Messages, with settings of tools that the vendor would run', async () => {
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
    expect(await pathsOf('messages', body)).members(expected)
    const { max_tokens: _, ...counted } = body
    expect(await pathsOf('count-tokens', counted)).members(expected)
  })

  it('notes those of Responses, also in items without type', async () => {
    const part = { type: 'input_text', text: 'Hi', a: 1 }
    const item = { role: 'user', content: [part], phase: 'x' }
    const expected = ['input.0.content.0.a', 'input.0.phase']
    expect(await pathsOf('responses', responses({ type: 'message', ...item }))).members(expected)
    expect(await pathsOf('responses', responses(item))).members(expected)
    const more = { stream_options: { include_obfuscation: false }, tools: [{ type: 'web_search', filters: {} }] }
    expect(await pathsOf('responses', responses({ type: 'reasoning', odd: 1 }, more))).members([
      'stream_options.include_obfuscation',
      'tools.0.filters',
    ])
  })

  it('notes nothing of what this service replies with, of null, and of members that are documented as without effect', async () => {
    const call = { id: 'c', type: 'function', index: 0, function: { name: 'f', arguments: '{}' } }
    const assistant = { role: 'assistant', content: 'x', refusal: null, annotations: null, reasoning_content: 'y' }
    expect(await pathsOf('chat-completions', chat([{ ...assistant, tool_calls: [call] }], { user: 'u' }))).empty
    const blocks = [
      { type: 'thinking', thinking: 'x', signature: '' },
      { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
    ]
    expect(await pathsOf('messages', messages(blocks, { metadata: { a: 1 } }))).empty
    const output = { type: 'output_text', text: 'x', annotations: [], logprobs: [] }
    const item = { type: 'message', id: 'i', status: 'completed', role: 'assistant', content: [output] }
    expect(await pathsOf('responses', responses(item))).empty
    const result = { type: 'function_call', id: 'i', status: 'completed', call_id: 'c', name: 'f', arguments: '{}' }
    expect(await pathsOf('responses', responses(result))).empty
  })

  it('still refuses members that would change what the model does', () => {
    for (const name of ['prefix', 'partial', 'audio', 'function_call']) {
      const body = chat([{ role: 'assistant', content: 'x', [name]: true }])
      expect(() => bodyValidator('chat-completions')(body), name).throw(`messages.0.${name}`)
    }
  })

  it('keeps eight and counts the others, and begins anew with each body, after a refusal too', async () => {
    const check = bodyValidator('chat-completions')
    const many = chat(Array.from({ length: 100 }, () => ({ role: 'user', content: 'Hi', x: 1 })))
    expect(await check(many)).include({ count: 100 })
    expect(await pathsOf('chat-completions', many))
      .lengthOf(8)
      .include('messages.7.x')
    expect(() => check(chat([{ role: 'user', content: 'Hi', x: 1 }], { temperature: 'hot' }))).throw()
    expect(check(chat([{ role: 'user', content: 'Hi' }]))).equal(undefined)
  })

  it('names items of a long conversation by their place in all of it, and what stands beside it once', async () => {
    const long = Array.from({ length: 2500 }, (_, i) => ({
      role: 'user',
      content: 'Hi',
      ...(i === 2400 && { '__proto__/~x': 1 }),
    }))
    const body = chat(long, { stream_options: { fast: 1 } })
    expect(await pathsOf('chat-completions', body)).deep.equal(['messages.2400.__proto__/~x', 'stream_options.fast'])
    expect(await bodyValidator('chat-completions')(body)).include({ count: 2 })
  })

  it('works in a schema that names no member', () => {
    const validate = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false }).compile({
      type: 'object',
      'x-ignore-others': [],
    })
    const note = new IgnoredMembersNote()
    expect(validate.call(note, { a: 1 })).equal(true)
    expect(note.take()).deep.equal({ count: 1, named: [{ path: [], name: 'a' }] })
    expect(note.take()).equal(undefined)
  })

  it('costs a part of what the check costs otherwise', () => {
    const messages = Array.from({ length: 900 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
    }))
    const body = chat(messages)
    const check = bodyValidator('chat-completions')
    const text = JSON.stringify(body)
    const checked = cpuMs(() => {
      for (let i = 0; i < 20; i++) check(body)
    })
    const parsed = cpuMs(() => {
      for (let i = 0; i < 20; i++) JSON.parse(text)
    })
    expect(checked).below(parsed * 3)
  })
})
