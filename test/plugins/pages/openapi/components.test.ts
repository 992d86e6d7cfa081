import { expect } from 'chai'
import { schemaComponents, schemaRef } from '../../../../plugins/pages/openapi/components.ts'

describe('OpenAPI components', () => {
  const components = schemaComponents('service')

  it('are named after their file and folder', () => {
    expect(Object.keys(components)).include.members(['ChatCompletionsBody', 'Error', 'RequestRow', 'SharedMessage'])
    expect(schemaRef('bodies/count-tokens')).deep.equal({ $ref: '#/components/schemas/CountTokensBody' })
    expect(schemaRef('replies/error')).deep.equal({ $ref: '#/components/schemas/Error' })
  })

  it('refer to each other and to their own definitions', () => {
    const text = JSON.stringify(components.ChatCompletionsBody)
    expect(text).contain('"$ref":"#/components/schemas/SharedMessage"')
    expect(text).contain('"$ref":"#/components/schemas/ChatCompletionsBody/$defs/effort"')
  })

  it('keep neither $id nor $schema', () => {
    for (const [name, schema] of Object.entries(components)) expect(schema, name).not.any.keys('$id', '$schema')
  })
})
