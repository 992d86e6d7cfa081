import { expect } from 'chai'
import { schemaNames } from '../../../../lib/console.ts'
import { ROUTES, type Route, readSchema } from '../../../../lib/plugin.ts'
import { OPERATIONS } from '../../../../plugins/pages/openapi/operations.ts'

describe('OpenAPI operations', () => {
  const all = Object.values(OPERATIONS)

  it('name queries and replies with a schema, and use all schemas of queries', () => {
    const queries = all.flatMap(({ query }) => query ?? [])
    expect(queries.toSorted()).deep.equal(schemaNames('queries').toSorted())
    expect(schemaNames('replies')).include.members(all.flatMap(({ reply }) => (typeof reply === 'string' ? reply : [])))
    expect(schemaNames('bodies')).include.members(all.flatMap(({ form }) => form ?? []))
  })

  it('stream if a backend answers and the reply is decoded, or the body has the member stream', () => {
    const streaming = (ROUTES as readonly Route[])
      .filter(({ proxied, canonical, body }) => {
        const { properties } = readSchema(`bodies/${body ?? 'chat-completions'}`)
        return proxied && (canonical || Object.hasOwn(properties as object, 'stream'))
      })
      .map(({ name }) => name)
    const described = Object.entries(OPERATIONS).flatMap(([name, { streams }]) => (streams === true ? name : []))
    expect(described.toSorted()).deep.equal(streaming.toSorted())
  })

  it('can be refused for the key if one is required', () => {
    for (const { name, access } of ROUTES as readonly Route[]) {
      const { errors } = OPERATIONS[name as keyof typeof OPERATIONS]
      expect(errors.includes('invalid_api_key'), name).equal(access === 'key')
    }
  })
})
