import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { echoMembers, readEcho } from '../../../../lib/formats/responses/echo.ts'
import type { ResponsesBody } from '../../../../lib/formats/responses/generated/body.ts'

const repeated = (members: JsonObject) =>
  echoMembers(readEcho({ model: 'm', input: 'Hi', ...members } as unknown as ResponsesBody))

const ABSENT = {
  instructions: null,
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: null,
  temperature: 1,
  top_p: 1,
  text: { format: { type: 'text' } },
  reasoning: { effort: null, summary: null },
  metadata: {},
  truncation: 'disabled',
  safety_identifier: null,
  prompt_cache_key: null,
  user: null,
  background: false,
  store: false,
  previous_response_id: null,
  max_tool_calls: null,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  service_tier: 'default',
}

describe('members of the request that a response repeats', () => {
  it('has defaults for absent and null members', () => {
    expect(repeated({})).deep.equal(ABSENT)
    const nulls = Object.fromEntries(Object.keys(ABSENT).map(name => [name, null]))
    expect(repeated(nulls)).deep.equal(ABSENT)
    expect(repeated({ text: { format: null, verbosity: null }, reasoning: { effort: null } })).deep.equal(ABSENT)
  })

  it('repeats the values sent', () => {
    const format = { type: 'json_schema', name: 'n', schema: { type: 'object' }, description: 'd', strict: true }
    const sent = {
      instructions: 'Be brief.',
      tool_choice: { type: 'function', name: 'f' },
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      text: { format, verbosity: 'low' },
      metadata: { a: 'b' },
      truncation: 'auto',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      user: 'u-1',
    }
    expect(repeated(sent)).deep.equal({ ...ABSENT, ...sent })
    expect(repeated({ reasoning: { effort: 'high', summary: 'auto' } }).reasoning).deep.equal({
      effort: 'high',
      summary: null,
    })
  })

  it('has the members of a function that strict clients require', () => {
    const bare = { type: 'function', name: 'f' }
    const full = { type: 'function', name: 'g', description: 'd', parameters: { properties: {} }, strict: true }
    const other = { type: 'web_search' }
    expect(repeated({ tools: [bare, full, other] }).tools).deep.equal([
      { ...bare, description: null, parameters: null, strict: null },
      full,
      other,
    ])
  })

  it('has the members of a schema that strict clients require', () => {
    const format = { type: 'json_schema', name: 'n', schema: {} }
    expect(repeated({ text: { format } }).text).deep.equal({ format: { ...format, description: null, strict: false } })
    expect(repeated({ text: { format: { type: 'json_object' } } }).text).deep.equal({ format: { type: 'json_object' } })
  })

  it('repeats members without effect only if their type is that of the response', () => {
    expect(repeated({ metadata: 'x', truncation: 7, safety_identifier: {}, prompt_cache_key: [], user: 5 })).deep.equal(
      ABSENT,
    )
    expect(repeated({ store: true, background: true })).deep.equal(ABSENT)
  })
})
