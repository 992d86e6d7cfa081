import { expect } from 'chai'
import { bodyError } from '../../../../lib/engines/decode/error.ts'
import { namedEfforts } from '../../../../lib/engines/failure/efforts.ts'

const named = (message: string, more: object = {}) =>
  namedEfforts(bodyError(JSON.stringify({ error: { message, ...more } }))!)

describe('engines/failure/efforts', () => {
  it('are those that the engine lists, weakest first', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [
        "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'max', 'ctx': {'expected': \"'low', 'medium' or 'high'\"}}",
        ['low', 'medium', 'high'],
      ],
      [
        "1 validation error:\n  {'type': 'literal_error', 'loc': 'body.reasoning_effort', 'msg': \"Input should be 'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'\", 'input': 'x'}",
        ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
      ],
      [
        'Unexpected reasoning effort high. Supported types are xhigh (default), medium, and low.',
        ['low', 'medium', 'xhigh'],
      ],
    ]
    for (const [text, efforts] of cases) expect(named(text), text).deep.equal(efforts)
    expect(named('Must be one of low, high', { param: 'body.reasoning_effort' })).deep.equal(['low', 'high'])
  })

  it('are not read out of other refusals', () => {
    expect(named('temperature should be low')).equal(undefined)
    expect(named("'high' is no reasoning effort")).equal(undefined)
    expect(named('reasoning_effort should be a string')).equal(undefined)
  })
})
