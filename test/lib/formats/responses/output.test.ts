import { expect } from 'chai'
import { echoMembers } from '../../../../lib/formats/responses/echo.ts'
import { incompleteReason, Output, responseObject } from '../../../../lib/formats/responses/output.ts'
import { toCanonical } from '../../../../lib/formats/responses/request.ts'
import { contextOf, OPTIONS, REPLY_ID } from '../../../support/encoders.ts'

const head = contextOf(toCanonical({ model: 'model-1', input: 'Hi' }, OPTIONS))
const fragment = (index: number, id?: string, name?: string) => ({ index, id, name, arguments: '' })

describe('Responses output', () => {
  it('keeps all text in one message, followed by the calls', () => {
    const output = new Output(head)
    output.call(fragment(0, 'c1', 'f'))
    const first = output.message()
    output.call(fragment(1, 'c2', 'f'))
    expect(output.message()).equal(first)
    expect(output.items.map(item => item.type)).deep.equal(['message', 'function_call', 'function_call'])
    expect(new Set(output.items.map(item => item.id)).size).equal(3)
  })

  it('gives every item a unique id', () => {
    const output = new Output(head)
    output.message()
    output.call(fragment(0, 'c1', 'f'))
    output.call(fragment(1, 'c2', 'f'))
    expect(output.items.map(item => item.id)).deep.equal([`msg_${REPLY_ID}0`, `fc_${REPLY_ID}1`, `fc_${REPLY_ID}2`])
  })

  it('distinguishes calls by index and id', () => {
    const output = new Output(head)
    const first = output.call(fragment(0, 'c1', 'f'))
    expect(output.call(fragment(0))).equal(first)
    expect(output.call(fragment(0, 'c1'))).equal(first)
    expect(output.call(fragment(0, ''))).equal(first)
    const second = output.call(fragment(0, 'c2', 'g'))
    expect(second).not.equal(first)
    expect(output.call(fragment(0))).equal(second)
    expect(output.call(fragment(1, 'c3', 'h'))).include({ call_id: 'c3', name: 'h' })
  })

  it('creates a call_id if that of the backend is missing or repeated', () => {
    const output = new Output(head)
    const ids = [fragment(0, 'c', 'f'), fragment(1, 'c', 'f'), fragment(2, '', 'f'), fragment(3, undefined, 'f')].map(
      each => output.call(each).call_id,
    )
    expect(ids[0]).equal('c')
    expect(new Set(ids).size).equal(4)
    expect(ids).not.include('')
  })

  it('names the namespace of a function', () => {
    const tools = [{ type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'start' }] }]
    const output = new Output(contextOf(toCanonical({ model: 'model-1', input: 'Hi', tools }, OPTIONS)))
    expect(output.call(fragment(0, 'c1', 'start'))).include({ namespace: 'agents', name: 'start' })
    expect(output.call(fragment(1, 'c2', 'other'))).not.property('namespace')
  })

  it('restores both names of a function that was renamed', () => {
    const space = (name: string) => ({ type: 'namespace', name, tools: [{ type: 'function', name: 'search' }] })
    const body = { model: 'model-1', input: 'Hi', tools: [space('wiki'), space('mail')] }
    const output = new Output(contextOf(toCanonical(body, OPTIONS)))
    expect(output.call(fragment(0, 'c1', 'mail__search'))).include({ namespace: 'mail', name: 'search' })
  })

  it('derives the reason of an incomplete reply from its finish reason', () => {
    expect((['stop', 'length', 'tool_calls', 'content_filter', undefined] as const).map(incompleteReason)).deep.equal([
      undefined,
      'max_output_tokens',
      undefined,
      'content_filter',
      undefined,
    ])
  })
})

describe('responseObject', () => {
  it('has every member in every state', () => {
    expect(responseObject(head, 'in_progress', [], undefined)).deep.equal({
      id: `resp_${REPLY_ID}`,
      object: 'response',
      created_at: 1_750_000_000,
      model: 'model-1',
      status: 'in_progress',
      output: [],
      parallel_tool_calls: true,
      usage: {
        input_tokens: 0,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 0,
      },
      incomplete_details: null,
      error: null,
      completed_at: null,
      ...echoMembers({}),
    })
  })

  it('repeats parallel_tool_calls', () => {
    const strict = contextOf(toCanonical({ model: 'model-1', input: 'Hi', parallel_tool_calls: false }, OPTIONS))
    expect(responseObject(strict, 'completed', [], undefined)).property('parallel_tool_calls', false)
  })

  it('counts reasoning as output', () => {
    const usage = { promptTokens: 5, completionTokens: 7, cachedTokens: 4, reasoningTokens: 6 }
    expect(responseObject(head, 'completed', [], usage).usage).deep.equal({
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 6 },
      total_tokens: 12,
    })
  })

  it('counts 0 for details that the engine did not report', () => {
    const usage = { promptTokens: 5, completionTokens: 7, cachedTokens: null, reasoningTokens: null }
    expect(responseObject(head, 'completed', [], usage).usage).deep.include({
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 12,
    })
  })
})

/** The text of a complete message whose format is a JSON schema. */
function schemaText(text: string): string {
  const format = { type: 'json_schema' as const, name: 'x', schema: { type: 'object' } }
  const output = new Output(contextOf(toCanonical({ model: 'model-1', input: 'Hi', text: { format } }, OPTIONS)))
  const item = output.message()
  const [part] = item.content
  part.text = text
  output.close(item, 'completed')
  return part.text
}

describe('JSON text that follows a schema', () => {
  const cases: readonly (readonly [shows: string, text: string, json: string])[] = [
    ['keeps bare JSON', '{"a":1}', '{"a":1}'],
    ['loses the space around it', ' \n{"a":1}\n', '{"a":1}'],
    ['loses a fence with a language', '```json\n{"a":1}\n```', '{"a":1}'],
    ['loses a fence without a language', '```\n{"a":1}\n```\n', '{"a":1}'],
    ['loses a fence with CRLF line ends', '```json\r\n{"a":1}\r\n```', '{"a":1}'],
    ['loses the opening fence of a truncated reply', '```json\n{"a":', '{"a":'],
    ['loses a fence on one line', '```{"a":1}```', '{"a":1}'],
    ['loses a fence and its language on one line', '```json {"a":1}```', '{"a":1}'],
    ['keeps JSON that begins on the line of the fence', '```json {\n"a":1\n}\n```', '{\n"a":1\n}'],
    ['keeps JSON that begins directly after the fence', '```[\n1\n]\n```', '[\n1\n]'],
    ['keeps a JSON keyword, which is no language', '```true```', 'true'],
    ['keeps a number, which is no language', '```42```', '42'],
    ['keeps a fence inside a string', '{"code":"```js\\n1\\n```"}', '{"code":"```js\\n1\\n```"}'],
    ['may be empty', '', ''],
    ['is empty if it is a lone fence', '```', ''],
  ]
  for (const [shows, text, json] of cases) {
    it(shows, () => expect(schemaText(text)).equal(json))
  }
})
