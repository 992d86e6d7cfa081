import { expect } from 'chai'
import { optionsCheck } from '../../../lib/schemas/options.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: { limit: { type: 'integer', default: 7 }, since: { type: 'string', format: 'date-time' } },
}

describe('optionsCheck', () => {
  it('completes options with the defaults of their schema', () => {
    const options = { since: '2026-11-21T10:07:33Z' }
    expect(optionsCheck()(schema, options)).deep.equal([])
    expect(options).deep.equal({ since: '2026-11-21T10:07:33Z', limit: 7 })
  })

  it('returns everything that is wrong', () => {
    expect(optionsCheck()(schema, { limt: 1, since: 'yesterday' })).deep.equal([
      { path: 'limt', message: "unknown key 'limt': did you mean 'limit'?" },
      { path: 'since', message: 'must be an ISO-8601 timestamp with a timezone: 2026-11-21T10:07:33Z' },
    ])
  })

  it('checks by a known schema as by any other', () => {
    const check = optionsCheck()
    const options = {}
    expect(check(schema, options, true)).deep.equal([])
    expect(options).deep.equal({ limit: 7 })
    expect(check(schema, { limit: '7' }, true)).deep.equal(check(schema, { limit: '7' }))
  })

  it('throws where the schema itself is wrong', () => {
    expect(() => optionsCheck()({ type: 'strng' }, {})).throw(/schema is invalid/)
  })
})
