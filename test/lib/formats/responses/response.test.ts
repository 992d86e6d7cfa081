import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import { toCanonical } from '../../../../lib/formats/responses/request.ts'
import { ResponseCollector } from '../../../../lib/formats/responses/response.ts'
import { chunkOf, contextOf, OPTIONS, REPLY_ID } from '../../../support/encoders.ts'

const usage = { promptTokens: 3, completionTokens: 4, cachedTokens: null, reasoningTokens: null }

function collect(chunks: readonly Partial<Chunk>[], members: JsonObject = {}): JsonObject {
  const collector = new ResponseCollector(
    contextOf(toCanonical({ model: 'model-1', input: 'Hi', ...members }, OPTIONS)),
  )
  for (const chunk of chunks) collector.chunk(chunkOf(chunk))
  return collector.result()
}

describe('ResponseCollector', () => {
  it('gathers text into one message', () => {
    const result = collect([
      { start: true, text: '' },
      { text: 'Hel' },
      { text: 'lo' },
      { finish: 'stop' },
      { choice: -1, usage },
    ])
    expect(result).include({ status: 'completed' })
    expect(result.usage).include({ input_tokens: 3, output_tokens: 4, total_tokens: 7 })
    expect(result.output).deep.equal([
      {
        id: `msg_${REPLY_ID}0`,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ])
  })

  it('gathers tool calls, also fragments that are mixed', () => {
    const result = collect([
      { text: 'Let me look.' },
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }] },
      {
        toolCalls: [
          { index: 1, id: 'c2', name: 'g', arguments: '' },
          { index: 0, id: undefined, name: undefined, arguments: ':1}' },
        ],
      },
      { finish: 'tool_calls' },
    ])
    expect(result.status).equal('completed')
    expect(result.output).nested.property('0.type', 'message')
    expect(result.output)
      .nested.property('1')
      .deep.equal({
        id: `fc_${REPLY_ID}1`,
        type: 'function_call',
        status: 'completed',
        call_id: 'c1',
        name: 'f',
        arguments: '{"a":1}',
      })
    expect(result.output).nested.property('2').include({ call_id: 'c2', name: 'g', arguments: '', status: 'completed' })
  })

  it('never returns reasoning text', () => {
    const result = collect([{ reasoning: 'Secret thought' }, { text: 'Hi' }, { finish: 'stop' }])
    expect(JSON.stringify(result)).not.include('Secret thought')
  })

  it('is incomplete with empty output when reasoning used up the budget', () => {
    const result = collect([{ reasoning: 'Hm' }, { finish: 'length', usage }])
    expect(result).deep.include({
      status: 'incomplete',
      output: [],
      incomplete_details: { reason: 'max_output_tokens' },
      error: null,
    })
  })

  it('marks only the last item of a truncated reply as incomplete', () => {
    const result = collect([
      { text: 'Let me' },
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a' }] },
      { finish: 'length' },
    ])
    expect(result.output).nested.property('0.status', 'completed')
    expect(result.output).nested.property('1.status', 'incomplete')
  })

  it('reports that content was filtered', () => {
    const result = collect([{ text: 'Well' }, { finish: 'content_filter' }])
    expect(result).deep.include({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } })
  })

  it('has a refusal as text', () => {
    expect(collect([{ refusal: 'No.' }, { finish: 'stop' }]).output).nested.property('0.content.0.text', 'No.')
  })

  it('removes Markdown fences only from JSON that follows a schema', () => {
    const chunks = [{ text: '```json\n{"a":' }, { text: '1}\n```' }, { finish: 'stop' as const }]
    const text = { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } }
    expect(collect(chunks, { text }).output).nested.property('0.content.0.text', '{"a":1}')
    expect(collect(chunks).output).nested.property('0.content.0.text', '```json\n{"a":1}\n```')
  })

  it('has the last value of usage', () => {
    const result = collect([
      { text: 'a', usage: { ...usage, completionTokens: 1 } },
      { text: 'b', usage },
      { finish: 'stop' },
    ])
    expect(result.usage).include({ output_tokens: 4 })
  })
})
