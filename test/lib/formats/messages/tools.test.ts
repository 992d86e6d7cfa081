import { expect } from 'chai'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { BodyTool } from '../../../../lib/formats/messages/generated/body.ts'
import { readTools } from '../../../../lib/formats/messages/tools.ts'

/** The tool as it is read after `index` others. */
function readTool(tool: BodyTool, index: number) {
  const others = Array.from({ length: index }, (_, i): BodyTool => ({ name: `other-${i}` }))
  return readTools({ model: 'model-1', messages: [], tools: [...others, tool] })[index]
}

describe('Messages tools', () => {
  it('are functions', () => {
    const input_schema = { type: 'object', properties: { city: { type: 'string' } } }
    const tool = { name: 'get_weather', description: 'The weather.', input_schema, strict: true }
    const canonical = {
      name: 'get_weather',
      description: 'The weather.',
      parameters: input_schema,
      strict: true,
      origin: 'tools.2',
    }
    expect(readTool(tool, 2)).deep.equal(canonical)
    expect(readTool({ ...tool, type: 'custom' }, 2)).deep.equal(canonical)
  })

  it('have a name', () => {
    for (const tool of [{}, { name: null }, { name: '' }]) {
      expect(() => readTool(tool, 1))
        .throw(GatewayError)
        .deep.include({ code: 'missing_tool_name', status: 400, details: { param: 'tools.1.name', ownParam: true } })
    }
  })

  it('of the client may lack a schema here: the tools rule requires it', () => {
    expect(readTool({ name: 'f' }, 0)?.parameters).equal(null)
  })

  it('of a vendor keep the description of the client', () => {
    const input_schema = { type: 'object', properties: {} }
    const tool = readTool({ type: 'bash_20250124', name: 'bash', description: 'Mine.', input_schema }, 0)
    expect(tool).include({ description: 'Mine.', parameters: input_schema })
  })
})
