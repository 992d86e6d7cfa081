import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { optionsCheck } from '../../../lib/schemas/options.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

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

  it('returns all errors', () => {
    expect(optionsCheck()(schema, { limt: 1, since: 'yesterday' })).deep.equal([
      { path: 'limt', message: "unknown key 'limt': did you mean 'limit'?" },
      { path: 'since', message: 'must be an ISO-8601 timestamp with a timezone: 2026-11-21T10:07:33Z' },
    ])
  })

  it('checks against a known schema as against any other', () => {
    const check = optionsCheck()
    const options = {}
    expect(check(schema, options, true)).deep.equal([])
    expect(options).deep.equal({ limit: 7 })
    expect(check(schema, { limit: '7' }, true)).deep.equal(check(schema, { limit: '7' }))
  })

  it('completes empty options of built-in plugins with the defaults of the schema', () => {
    const files = globSync('plugins/*/*/options.json', { cwd: root })
    expect(files).not.empty
    for (const file of files) {
      const builtIn = JSON.parse(readFileSync(join(root, file), 'utf8')) as JsonObject
      const [one, other] = [{}, {}]
      expect(optionsCheck()(builtIn, one, true), file).deep.equal(optionsCheck()(builtIn, other))
      expect(one, file).deep.equal(other)
    }
  })

  it('names a required option of a built-in plugin', () => {
    const needy = { ...schema, required: ['since'] }
    expect(optionsCheck()(needy, {}, true)).deep.equal([{ path: 'since', message: 'is required' }])
  })

  it('throws where the schema itself is wrong', () => {
    expect(() => optionsCheck()({ type: 'strng' }, {})).throw(/schema is invalid/)
  })
})
