import { expect } from 'chai'
import { toClientParam, toErrorBody } from '../../../../lib/formats/responses/errors.ts'

describe('Responses errors', () => {
  it('puts the envelope into error', () => {
    const body = { type: 't', code: 'c', message: 'm', request_id: 'r', docs_url: 'd' }
    expect(toErrorBody(body)).deep.equal({ error: body })
  })

  const cases: readonly (readonly [canonical: string, own: string])[] = [
    ['max_tokens', 'max_output_tokens'],
    ['reasoning_effort', 'reasoning.effort'],
    ['reasoning.effort', 'reasoning.effort'],
    ['response_format', 'text.format'],
    ['response_format.type', 'text.format.type'],
    ['response_format.json_schema.schema', 'text.format.schema'],
    ['tools', 'tools'],
    ['tools.0.type', 'tools.0.type'],
    ['tools.0.function', 'tools.0'],
    ['tools.0.function.name', 'tools.0.name'],
    ['tools.12.function.parameters', 'tools.12.parameters'],
    ['tools.2.tools.1.function.name', 'tools.2.tools.1.name'],
    ['tool_choice', 'tool_choice'],
    ['tool_choice.function.name', 'tool_choice.name'],
    ['messages', 'input'],
    ['input.3.tool_call_id', 'input.3.call_id'],
    ['input.3.content', 'input.3.content'],
    ['input.content', 'input'],
    ['instructions.content', 'instructions'],
    ['model', 'model'],
    ['max_tokens_other', 'max_tokens_other'],
  ]
  for (const [canonical, own] of cases) {
    it(`names ${canonical} ${own}`, () => expect(toClientParam(canonical)).equal(own))
  }
})
