import { expect } from 'chai'
import type { ErrorBody } from '../../../../lib/errors/errors.ts'
import { toClientParam, toErrorBody } from '../../../../lib/formats/messages/errors.ts'

const error = (members: Partial<ErrorBody> = {}): ErrorBody => ({
  type: 'invalid_request_error',
  code: 'missing_tool_name',
  message: 'A tool has no name.',
  request_id: 'req_0123456789ab',
  docs_url: 'https://docs.test/missing_tool_name',
  ...members,
})

describe('Messages errors', () => {
  it('wrap the fields of the envelope', () => {
    expect(toErrorBody(error({ param: 'tools.0.name' }))).deep.equal({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'A tool has no name.',
        code: 'missing_tool_name',
        request_id: 'req_0123456789ab',
        param: 'tools.0.name',
        docs_url: 'https://docs.test/missing_tool_name',
      },
    })
  })

  it('keep the members of their code', () => {
    const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }
    expect(toErrorBody(error({ details }))).deep.nested.include({ 'error.details': details })
  })

  it('start the message of a prompt that is too long with the phrase that clients search for, once', () => {
    const code = 'context_length_exceeded'
    const text = (message: string) => toErrorBody(error({ code, message })).error
    expect(text('It has 9 tokens.')).include({ message: 'prompt is too long: It has 9 tokens.' })
    expect(text('prompt is too long: 9 tokens')).include({ message: 'prompt is too long: 9 tokens' })
  })

  const names: readonly (readonly [string, string])[] = [
    ['model', 'model'],
    ['max_tokens', 'max_tokens'],
    ['tools', 'tools'],
    ['tools.0.function.name', 'tools.0.name'],
    ['tools.12.function.parameters', 'tools.12.input_schema'],
    ['tools.0.function.parameters.properties.a', 'tools.0.input_schema.properties.a'],
    ['tool_choice', 'tool_choice'],
    ['tool_choice.function.name', 'tool_choice.name'],
    ['messages.3.content.1.tool_call_id', 'messages.3.content.1.tool_use_id'],
    ['messages.3.content.1', 'messages.3.content.1'],
    ['stop', 'stop_sequences'],
    ['stop.1', 'stop_sequences.1'],
    ['reasoning_effort', 'output_config.effort'],
    ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
    ['system.content', 'system'],
  ]
  for (const [canonical, own] of names) {
    it(`call ${canonical} ${own}`, () => {
      expect(toClientParam(canonical)).equal(own)
    })
  }
})
