import { expect } from 'chai'
import { GatewayError } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import plugin, { parseTags } from '../../../plugins/endpoints/request-tags/index.ts'
import { requestTags } from '../../../plugins/slots.ts'

const tagsOf = async (headers: Readonly<Record<string, string>>) => {
  const { exchange, error } = await play(plugin, { headers })
  return { error, tags: exchange.find(requestTags) }
}

// docs/api/README.md#request-tags, rule by rule.
describe('request-tags', () => {
  it('reads one tag and several, with spaces around commas', () => {
    expect(parseTags('a')).deep.equal(['a'])
    expect(parseTags('batch-7 ,\tnightly_run')).deep.equal(['batch-7', 'nightly_run'])
  })

  it('drops duplicates and keeps the order of first use', () => {
    expect(parseTags('b, a, b, c, a')).deep.equal(['b', 'a', 'c'])
  })

  it('accepts eight different tags, however often, and no ninth', () => {
    const eight = 'a,b,c,d,e,f,g,h'
    expect(parseTags(`${eight},a,b,c`)).length(8)
    expect(() => parseTags(`${eight},i`)).throw(GatewayError, "'i'")
  })

  for (const header of ['', ',', 'a,', ',a', 'a,,b', 'A', 'ä', 'a b', 'a.b', 'x'.repeat(33)]) {
    it(`refuses '${header}'`, () => {
      expect(() => parseTags(header))
        .throw(GatewayError)
        .include({ code: 'invalid_request_tag', status: 400 })
    })
  }

  it('names the offending value, and says where an empty one is', () => {
    expect(() => parseTags('good, Bad')).throw("'Bad'")
    expect(() => parseTags('good,')).throw('an empty value stands before, between or after commas')
  })

  it('fills its slot with null when there is no header', async () => {
    expect((await tagsOf({})).tags).equal(null)
    expect((await tagsOf({ 'service-request-tag': 'a, b' })).tags).deep.equal(['a', 'b'])
    expect((await tagsOf({ 'service-request-tag': 'a,' })).error).include({ code: 'invalid_request_tag' })
  })

  it('runs on dedicated endpoints only', () => {
    expect(plugin.routes).deep.equal({ surface: ['dedicated'], proxied: true })
  })
})
