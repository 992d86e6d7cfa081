import { expect } from 'chai'
import { problemOf, validationProblem, withoutBody } from '../../../../lib/engines/decode/validation.ts'

describe('engines/decode/validation', () => {
  const said: readonly [source: string, text: string, param: string | undefined, message: string][] = [
    [
      'vLLM 2026-08',
      "1 validation error:\n  {'type': 'too_long', 'loc': 'body.stop', 'msg': 'List should have at most 4 items after validation, not 5', 'input': ['a', 'b'], 'ctx': {'max_length': 4}}",
      'stop',
      "'stop': List should have at most 4 items after validation, not 5",
    ],
    [
      'vLLM 2025-11',
      "1 validation error:\n  {'type': 'greater_than_equal', 'loc': ('body', 'top_logprobs'), 'msg': 'Input should be greater than or equal to 0', 'input': -1}\n\n  File \"/srv/api.py\", line 70",
      'top_logprobs',
      "'top_logprobs': Input should be greater than or equal to 0",
    ],
    [
      'an older vLLM',
      "[{'type': 'int_parsing', 'loc': ('body', 'messages', 0, 'role'), 'msg': \"Input isn't a role\", 'input': 'x'}]",
      'messages.0.role',
      "'messages.0.role': Input isn't a role",
    ],
    [
      'SGLang',
      "2 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'stop', 'str'), 'msg': 'Input should be a valid string', 'input': 5}\n  {'type': 'list_type', 'loc': ('body', 'stop', 'list[str]'), 'msg': 'Input should be a valid list', 'input': 5}",
      'stop',
      "'stop': Input should be a valid string",
    ],
    [
      'SGLang for an alternative of messages',
      "1 validation error:\n  {'type': 'string_type', 'loc': ('body', 'messages', 0, 'ChatCompletionMessageUserParam', 'content', 'list[union[ChatCompletionMessageContentTextPart,ChatCompletionMessageContentImagePart]]', 0, 'ChatCompletionMessageContentTextPart', 'text'), 'msg': 'Input should be a valid string', 'input': 5}",
      'messages.0.content.0.text',
      "'messages.0.content.0.text': Input should be a valid string",
    ],
    [
      'a printed exception',
      '1 validation error for ChatCompletionRequest\nreasoning_effort\n  Input should be "low" [type=literal_error, input_value=\'max\', input_type=str]\n    For further information visit https://errors.pydantic.dev',
      'reasoning_effort',
      '\'reasoning_effort\': Input should be "low"',
    ],
    [
      'JSON',
      "[{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]",
      undefined,
      'JSON decode error',
    ],
  ]
  for (const [source, text, param, message] of said) {
    it(`is read as ${source} prints it`, () => expect(validationProblem(text)).deep.equal({ param, message }))
  }

  it('is not read from other texts', () => {
    for (const text of ['', 'temperature must be non-negative', "'loc': 'body.stop'"])
      expect(validationProblem(text)).equal(undefined)
  })

  it('names only members of the API', () => {
    expect(problemOf(['body', 'my secret'], 'no')).deep.equal({ param: undefined, message: 'no' })
    expect(problemOf(['body', 'tools', '0', 'my secret'], 'no').param).equal('tools.0')
  })

  it('takes time in proportion to the text', () => {
    for (const part of ["'loc': (", "'msg': '", '1 validation error for x\n', "\\'", "'msg': '\\"]) {
      expect(validationProblem(part.repeat(20_000))).satisfy((found: unknown) => found === undefined || found !== null)
    }
  })

  it('is relative to the body', () => {
    expect(withoutBody('body.stop')).equal('stop')
    expect(withoutBody('bodyguard')).equal('bodyguard')
  })
})
