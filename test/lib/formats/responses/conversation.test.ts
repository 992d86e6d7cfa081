import { expect } from 'chai'
import type { Message } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { readConversation } from '../../../../lib/formats/responses/conversation.ts'
import type { Item } from '../../../../lib/formats/responses/generated/body.ts'
import { ToolNames } from '../../../../lib/formats/responses/tools.ts'
import { expectLinear } from '../../../support/cost.ts'

const read = (...items: unknown[]): Message[] =>
  readConversation({ model: 'model-1', input: items as Item[] }, new ToolNames([]), 'refuse')

function refusal(...items: unknown[]): GatewayError {
  try {
    read(...items)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('was not refused')
}

const user = (content: unknown) => ({ type: 'message', role: 'user', content })
const assistant = (content: unknown) => ({ type: 'message', role: 'assistant', content })
const call = (id: string, name = 'f') => ({ type: 'function_call', call_id: id, name, arguments: '{}' })
const output = (id: string, text: unknown = 'done') => ({ type: 'function_call_output', call_id: id, output: text })

describe('items without type', () => {
  const bare = (item: unknown) =>
    readConversation({ model: 'model-1', input: [item] as Item[] }, new ToolNames([]), 'message')
  const problem = (item: unknown) => {
    try {
      bare(item)
    } catch (thrown) {
      if (thrown instanceof GatewayError) return [thrown.code, thrown.details.param]
    }
    return undefined
  }

  it('are messages if configured', () => {
    for (const role of ['user', 'assistant', 'system', 'developer']) {
      expect(bare({ role, content: 'Hi' })).deep.equal([{ role, content: 'Hi', origin: 'input.0' }])
    }
    const parts = [
      { type: 'input_text', text: 'a' },
      { type: 'refusal', refusal: 'b' },
    ]
    expect(bare({ type: null, role: 'user', content: parts })).deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        origin: 'input.0',
      },
    ])
  })

  it('are checked as messages are', () => {
    const invalid = (param: string) => ['schema_validation_failed', param]
    expect(problem({ role: 'tool', content: 'Hi' })).deep.equal(invalid('input.0.role'))
    expect(problem({ role: 'user' })).deep.equal(invalid('input.0.content'))
    expect(problem({ role: 'user', content: 5 })).deep.equal(invalid('input.0.content'))
    expect(problem({ role: 'user', content: ['Hi'] })).deep.equal(invalid('input.0.content.0'))
    const nameless = { role: 'user', content: [{ type: 'input_text' }] }
    expect(problem(nameless)).deep.equal(invalid('input.0.content.0.text'))
    expect(problem({ role: 'user', content: [{ type: 'input_file' }] })?.[0]).equal('unsupported_feature')
  })

  it('are refused without a role', () => {
    for (const item of [{}, { content: 'Hi' }, null, 'Hi']) {
      expect(problem(item)).deep.equal(['unsupported_input_item', 'input.0.type'])
    }
  })
})

describe('conversations of Responses', () => {
  describe('messages', () => {
    for (const role of ['user', 'assistant', 'system', 'developer']) {
      it(`accepts the role ${role}`, () => {
        expect(read({ type: 'message', role, content: 'Hi' })).deep.equal([{ role, content: 'Hi', origin: 'input.0' }])
      })
    }

    it('reads a single text part as a string, whatever its type', () => {
      const [first, second] = read(
        user([{ type: 'input_text', text: 'a' }]),
        assistant([{ type: 'output_text', text: 'b' }]),
      )
      expect(first?.content).equal('a')
      expect(second?.content).equal('b')
    })

    it('reads several parts as text parts', () => {
      const [message] = read(
        user([
          { type: 'input_text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ]),
      )
      expect(message?.content).deep.equal([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ])
    })

    it('reads a refusal of an earlier message as its text', () => {
      expect(read(assistant([{ type: 'refusal', refusal: 'No.' }]))[0]?.content).equal('No.')
    })

    it('drops images silently', () => {
      const image = { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' }
      expect(read(user([{ type: 'input_text', text: 'a' }, image]))[0]?.content).equal('a')
      expect(read(user([image]))).deep.equal([{ role: 'user', content: '', origin: 'input.0' }])
    })

    it('refuses files and audio with their path', () => {
      const error = refusal(
        user('Hi'),
        user([
          { type: 'input_text', text: 'a' },
          { type: 'input_file', file_id: 'f' },
        ]),
      )
      expect(error).include({ code: 'unsupported_feature', status: 400 })
      expect(error.details).include({ param: 'input.1.content.1.type', ownParam: true })
      expect(error.message).include('model-1').include('input_file')
    })

    it('lists the valid parts if one belongs to another API', () => {
      const error = refusal(user([{ type: 'text', text: 'a' }]))
      expect(error).include({ code: 'schema_validation_failed', status: 422 })
      expect(error.details).include({ param: 'input.0.content.0.type', ownParam: true })
      expect(error.message).include("'input_text'")
    })
  })

  describe('function calls', () => {
    it('joins all calls and the text before them into one assistant message', () => {
      expect(read(user('Go'), assistant('I look.'), call('c1', 'a'), call('c2', 'b'))).deep.equal([
        { role: 'user', content: 'Go', origin: 'input.0' },
        {
          role: 'assistant',
          content: 'I look.',
          origin: 'input.1',
          toolCalls: [
            { id: 'c1', name: 'a', arguments: '{}' },
            { id: 'c2', name: 'b', arguments: '{}' },
          ],
        },
      ])
    })

    it('creates an assistant message if there was no text', () => {
      expect(read(call('c1'))).deep.equal([
        { role: 'assistant', content: null, origin: 'input.0', toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }] },
      ])
    })

    it('begins a new message after results', () => {
      const roles = read(call('c1'), output('c1'), call('c2'), output('c2')).map(message => message.role)
      expect(roles).deep.equal(['assistant', 'tool', 'assistant', 'tool'])
    })

    it('keeps two texts in a row apart', () => {
      const messages = read(assistant('a'), assistant('b'), call('c1'))
      expect(messages.map(({ content }) => content)).deep.equal(['a', 'b'])
      expect(messages[1]).property('toolCalls').length(1)
    })

    it('adds text after a call to the same message, so that the result follows directly', () => {
      const messages = read(assistant('a'), call('c1'), assistant('b'), output('c1'))
      expect(messages.map(message => message.role)).deep.equal(['assistant', 'tool'])
      expect(messages[0]?.content).deep.equal([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ])
      expect(read(call('c1'), assistant('b'))[0]?.content).equal('b')
    })

    it('does not begin a new message at skipped items', () => {
      const messages = read(
        assistant('a'),
        { type: 'reasoning', summary: [] },
        call('c1'),
        { type: 'reasoning' },
        call('c2'),
      )
      expect(messages).length(1)
      expect(messages[0]).property('toolCalls').length(2)
    })

    it('keeps ids and arguments byte by byte', () => {
      const [message] = read({ type: 'function_call', call_id: 'functions.f:0', name: 'f', arguments: '{ "a":1 ' })
      expect(message).deep.include({ toolCalls: [{ id: 'functions.f:0', name: 'f', arguments: '{ "a":1 ' }] })
    })
  })

  describe('function results', () => {
    it('accepts a string', () => {
      expect(read(call('c1'), output('c1', 'sunny'))[1]).deep.equal({
        role: 'tool',
        toolCallId: 'c1',
        content: 'sunny',
        origin: 'input.1',
      })
    })

    it('joins text parts and omits images', () => {
      const parts = [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:' },
        { type: 'input_text', text: 'b' },
      ]
      expect(read(call('c1'), output('c1', parts))[1]?.content).equal('a\nb')
      expect(read(call('c1'), output('c1', [parts[1]]))[1]?.content).equal('')
    })

    it('reads null as an empty result', () => expect(read(call('c1'), output('c1', null))[1]?.content).equal(''))

    it('accepts a result without a known call or without an id: the tools rule refuses it', () => {
      expect(read(output('c9'))).deep.equal([{ role: 'tool', toolCallId: 'c9', content: 'done', origin: 'input.0' }])
      expect(read({ type: 'function_call_output', output: 'x' })[0]).include({
        toolCallId: undefined,
        origin: 'input.0',
      })
    })
  })

  describe('other items', () => {
    for (const type of [
      'reasoning',
      'additional_tools',
      'tool_search_call',
      'tool_search_output',
      'web_search_call',
      'local_shell_call',
      'local_shell_call_output',
    ]) {
      it(`skips ${type}`, () => {
        expect(read({ type, anything: [1] }, user('Hi'))).deep.equal([
          { role: 'user', content: 'Hi', origin: 'input.1' },
        ])
      })
    }

    it('skips the output of a skipped call, also as one of a function', () => {
      const shell = {
        type: 'local_shell_call',
        call_id: 'c1',
        status: 'completed',
        action: { type: 'exec', command: ['ls'] },
      }
      const call = { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{}' }
      const outputs = ['c1', 'c2'].map(call_id => ({ type: 'function_call_output', call_id, output: call_id }))
      const own = { type: 'local_shell_call_output', id: 'c1', output: 'x' }
      const messages = read(user('Hi'), shell, call, own, ...outputs)
      expect(messages.map(({ role }) => role)).deep.equal(['user', 'assistant', 'tool'])
      expect(messages[2]).include({ toolCallId: 'c2' })
    })

    it('keeps the output of a function that has the id of a skipped call', () => {
      const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }
      const output = { type: 'function_call_output', call_id: 'c1', output: 'x' }
      expect(read({ type: 'local_shell_call', call_id: 'c1' }, call, output)).lengthOf(2)
    })

    for (const type of ['computer_call', 'custom_tool_call', 'compaction', 'mcp_call', 'no such type', 'toString']) {
      it(`refuses ${type} with its path`, () => {
        const error = refusal(user('Hi'), { type })
        expect(error).include({ code: 'unsupported_input_item', status: 400 })
        expect(error.details).include({ param: 'input.1.type', ownParam: true })
        expect(error.message).include(`'${type}'`).include('function_call_output')
      })
    }

    it('explains how to write an untyped message', () => {
      for (const item of [
        { role: 'user', content: 'Secret' },
        { type: null, role: 'user', content: 'Secret' },
        { id: 'x' },
        { type: 5 },
        { type: ['reasoning'] },
        'Secret',
        5,
        null,
      ]) {
        const error = refusal(item)
        expect(error).include({ code: 'unsupported_input_item', status: 400 })
        expect(error.details.param).equal('input.0.type')
        expect(error.message).include('{"type": "message", "role": "user"').not.include('Secret')
      }
    })

    it('explains why an item cannot be referenced', () => {
      const error = refusal({ type: 'item_reference', id: 'msg_1' })
      expect(error.code).equal('unsupported_input_item')
      expect(error.message).include('nothing is stored')
    })

    it('quotes only the start of an unknown type', () => {
      expect(refusal({ type: 'x'.repeat(1000) }).message.length).below(200)
    })
  })

  it('reads a hundred thousand items without overflowing the stack', () => {
    expect(read(...Array.from({ length: 100_000 }, () => user('Hi')))).length(100_000)
  })

  it('reads a hundred thousand texts after one call in linear time', () => {
    const sized = {
      make: (length: number) => [call('c1'), ...Array.from({ length }, () => assistant('Hi'))],
      work: (items: readonly unknown[]) => read(...items)[0]?.content,
    }
    expect(sized.work(sized.make(100_000))).length(100_000)
    expectLinear(sized, 12_500)
  })
})
