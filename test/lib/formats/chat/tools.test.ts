import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { ChatBody } from '../../../../lib/formats/chat/generated/body.ts'
import { readToolChoice, readTools } from '../../../../lib/formats/chat/tools.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** Any JSON: also what the types do not name. */
const body = (members: JsonObject) => ({ model: 'm', messages: [], ...members }) as unknown as ChatBody

describe('tools of chat', () => {
  it('are functions; null means absent', () => {
    const parameters = { type: 'object', properties: {} }
    const described = { name: 'f', description: 'd', parameters, strict: true }
    const bare = { name: 'g', description: null, parameters: null, strict: null }
    const tools = readTools(
      body({
        tools: [
          { type: 'function', function: described },
          { type: 'function', function: bare },
        ],
      }),
    )
    expect(tools).eql([described, { name: 'g', description: undefined, parameters: undefined, strict: undefined }])
    for (const none of [undefined, null, []]) expect(readTools(body({ tools: none }))).eql([])
  })

  it('are refused where they are no functions, and repeat no more than the start of their type', () => {
    const refusal = refusalOf(() => readTools(body({ tools: [{ type: 'x'.repeat(1000) }] })))
    expect(refusal).include({ code: 'unsupported_tool_type', status: 400, param: 'tools.0.type' })
    expect(refusal.message).length.below(200)
  })

  it('can be chosen in every way', () => {
    for (const choice of ['auto', 'none', 'required'] as const) {
      expect(readToolChoice(body({ tool_choice: choice }))).equal(choice)
    }
    const named = { type: 'function', function: { name: 'f' } } as const
    expect(readToolChoice(body({ tool_choice: named }))).eql({ name: 'f' })
    for (const none of [undefined, null]) expect(readToolChoice(body({ tool_choice: none }))).equal(undefined)
  })
})
