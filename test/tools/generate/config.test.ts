import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { configSchema } from '../../../tools/generate/config.ts'

describe('configSchema', () => {
  const { properties, required, definitions } = configSchema() as Record<string, Record<string, JsonObject>>

  it('requires what has a default, because it has been filled in', () => {
    expect(required).include.members(['models', 'brand', 'listen']).and.not.include('docs_url')
  })

  it('names the objects that references lead to', () => {
    expect(Object.keys(definitions!)).include.members(['Model', 'Backend', 'Key', 'RateLimits', 'PluginChanges'])
    expect(properties!.timeouts!.allOf).deep.equal([{ $ref: '#/definitions/Timeouts' }])
  })

  it('makes a choice of several types', () => {
    expect(properties!.plugins!.anyOf).deep.equal([
      { type: 'array', items: { allOf: [{ $ref: '#/definitions/Plugin' }] } },
      { $ref: '#/definitions/PluginChanges' },
    ])
    expect(properties!.admin!.anyOf).deep.include({ enum: [false] })
  })
})
