import { expect } from 'chai'
import { isObject } from '../../../../lib/base/json.ts'
import { vendorTool } from '../../../../lib/formats/messages/vendor-tools.ts'

/** A type of each family, and a member that its client requires. */
const TYPES: readonly (readonly [type: string, member: string])[] = [
  ['web_search_20250305', 'query'],
  ['web_fetch_20250910', 'url'],
  ['bash_20250124', 'command'],
  ['text_editor_20250728', 'old_str'],
  ['computer_20251124', 'action'],
  ['memory_20250818', 'path'],
  ['code_execution_20250825', 'code'],
  ['tool_search_tool_bm25_20251119', 'query'],
]

describe('tools of a vendor', () => {
  for (const [type, member] of TYPES) {
    it(`${type} has a description and a schema with '${member}'`, () => {
      const { description, parameters } = vendorTool(type)
      expect(description).not.equal('')
      expect(parameters).include({ type: 'object' })
      const { properties, required } = parameters
      if (!isObject(properties) || !Array.isArray(required)) throw new Error('no schema of an object')
      expect(properties).property(member)
      expect(Object.keys(properties)).include.members(required)
    })
  }

  it('are copies: a plugin that changes one changes no other request', () => {
    for (const type of ['bash_20250124', 'teleport_20301231']) {
      const { parameters } = vendorTool(type)
      parameters.properties = { changed: true }
      expect(vendorTool(type).parameters.properties).not.property('changed')
    }
  })

  it('of an unknown type accept any arguments', () => {
    expect(vendorTool('teleport_20301231').parameters).deep.equal({ type: 'object', properties: {}, required: [] })
  })
})
