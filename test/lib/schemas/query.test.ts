import { expect } from 'chai'
import { queryReader } from '../../../lib/schemas/query.ts'
import { readSchema } from '../../../lib/schemas/read.ts'
import { refusalOf } from '../../support/refusal.ts'

const read = queryReader<object>(readSchema('queries/endpoint-requests'), 'schema_validation_failed')
const refusal = (query: string) => refusalOf(() => read(`endpoint=a.test&${query}`))

describe('query', () => {
  it('reads values by the types of the schema, and fills in defaults', () => {
    const query = 'endpoint=a.test&limit=7&errors_only=true&max_cache_hit_pct=12.5&min_ttft_ms=0&tag=a&tag=b'
    expect(read(query)).deep.equal({
      endpoint: 'a.test',
      limit: 7,
      errors_only: true,
      max_cache_hit_pct: 12.5,
      min_ttft_ms: 0,
      tag: ['a', 'b'],
    })
    expect(read('endpoint=a.test')).deep.equal({ endpoint: 'a.test', limit: 50, errors_only: false })
  })

  it('accepts booleans as Python prints them', () => {
    expect(read('endpoint=a.test&errors_only=True')).include({ errors_only: true })
    expect(read('endpoint=a.test&errors_only=False')).include({ errors_only: false })
  })

  it('keeps no state between queries', () => {
    read('endpoint=a.test&tag=a')
    expect(read('endpoint=b.test')).not.property('tag')
  })

  const refused = {
    'limit=0': ['limit', "'limit' must be at least 1."],
    'limit=201': ['limit', "'limit' must be at most 200."],
    'limit=': ['limit', "'limit' must be a whole number."],
    'limit=1.5': ['limit', "'limit' must be a whole number."],
    'limit=0x10': ['limit', "'limit' must be a whole number."],
    'limit=1e1': ['limit', "'limit' must be a whole number."],
    'limit=5&limit=6': ['limit', "'limit' appears in the query 2 times."],
    'errors_only=1': ['errors_only', "'errors_only' must be true or false."],
    'errors_only=yes': ['errors_only', "'errors_only' must be true or false."],
    'max_cache_hit_pct=100.1': ['max_cache_hit_pct', "'max_cache_hit_pct' must be at most 100."],
    'max_cache_hit_pct=NaN': ['max_cache_hit_pct', "'max_cache_hit_pct' must be a number."],
    'max_cache_hit_pct=': ['max_cache_hit_pct', "'max_cache_hit_pct' must be a number."],
    'max_cache_hit_pct=.': ['max_cache_hit_pct', "'max_cache_hit_pct' must be a number."],
    'max_cache_hit_pct=1e3': ['max_cache_hit_pct', "'max_cache_hit_pct' must be at most 100."],
    'min_input_tokens=99999999999': ['min_input_tokens', "'min_input_tokens' must be at most 2147483647."],
    'tag=Big': ['tag', "'tag' must be written like ^[a-z0-9_-]{1,32}$."],
    'tag=': ['tag', "'tag' must be written like ^[a-z0-9_-]{1,32}$."],
    'tag=a,b': ['tag', "'tag' must be written like ^[a-z0-9_-]{1,32}$."],
    [Array.from({ length: 21 }, (_, i) => `tag=t${i}`).join('&')]: [
      'tag',
      "'tag' must be an array of at most 20 items.",
    ],
    'cursor=yesterday': ['cursor', /^'cursor' must be an ISO-8601 timestamp with a timezone/],
    'cursor=2026-11-21T10:07:33': ['cursor', /^'cursor' must be an ISO-8601 timestamp with a timezone/],
  } as const
  for (const [query, [param, message]] of Object.entries(refused)) {
    it(`refuses ${query.slice(0, 40)} and names the valid values`, () => {
      const { message: said, ...rest } = refusal(query)
      expect(rest).deep.equal({ code: 'schema_validation_failed', status: 422, param })
      if (typeof message === 'string') expect(said).equal(message)
      else expect(said).match(message)
    })
  }

  it('accepts numbers in all forms that programming languages print', () => {
    const forms = { '2.7777777777777777': 25 / 9, '30.000000000000004': 30.000000000000004, '1e-05': 1e-5, '5E1': 50 }
    for (const [text, number] of Object.entries({ ...forms, '100.0': 100, '.5': 0.5, '7.': 7 }))
      expect(read(`endpoint=a.test&max_cache_hit_pct=${text}`), text).include({ max_cache_hit_pct: number })
  })

  it('accepts a cursor with an offset, encoded or not', () => {
    for (const cursor of ['2026-11-21T10:07:33.123456Z', '2026-11-21T12:07:33%2B02:00', '2026-11-21T12:07:33+02:00']) {
      expect(() => read(`endpoint=a.test&cursor=${cursor}`), cursor).not.throw()
    }
  })

  it('names a missing parameter', () => {
    expect(refusalOf(() => read('limit=1'))).deep.equal({
      code: 'schema_validation_failed',
      status: 422,
      param: 'endpoint',
      message: "'endpoint' is required.",
    })
  })

  it('refuses an unknown parameter by name, and lists the known ones', () => {
    expect(refusal('min_ttft=5')).deep.equal({
      code: 'unsupported_parameter',
      status: 400,
      param: 'min_ttft',
      message: "Parameter 'min_ttft' is not supported here; perhaps 'min_ttft_ms' was meant.",
    })
    expect(refusal('zzzzzzzzzz=5').message).contain('known are endpoint, limit, ')
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(refusal(`${name}=5`)).include({ code: 'unsupported_parameter', param: name })
    }
    expect(refusal(`${'x'.repeat(500)}=5`).message).length.below(400)
  })

  it('refuses with the code of the usage routes if told to', () => {
    const usage = queryReader(readSchema('queries/usage-me'), 'http_400')
    expect(refusalOf(() => usage('period=2d'))).deep.equal({
      code: 'http_400',
      status: 400,
      param: 'period',
      message: "'period' must be '1d', '7d' or '30d'.",
    })
    expect(refusalOf(() => usage('pass_account_id=acme')).message).equal("'pass_account_id' must be a UUID.")
  })
})
