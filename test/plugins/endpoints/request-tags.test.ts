import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/endpoints/request-tags/index.ts'
import { requestTags } from '../../../plugins/slots.ts'

async function tagsOf(headers: Readonly<Record<string, string>>) {
  const { exchange, error } = await play(plugin, { headers })
  return { error, tags: exchange.find(requestTags) }
}

const read = async (header: string) => (await tagsOf({ 'service-request-tag': header })).tags
const refused = async (header: string) => (await tagsOf({ 'service-request-tag': header })).error

// docs/api/README.md#request-tags, rule by rule.
describe('request-tags', () => {
  it('reads one tag and several, with spaces around commas', async () => {
    expect(await read('a')).deep.equal(['a'])
    expect(await read('batch-7 ,\tnightly_run')).deep.equal(['batch-7', 'nightly_run'])
  })

  it('drops duplicates and keeps the order of first use', async () => {
    expect(await read('b, a, b, c, a')).deep.equal(['b', 'a', 'c'])
  })

  it('accepts eight different tags, however often, and no ninth', async () => {
    const eight = 'a,b,c,d,e,f,g,h'
    expect(await read(`${eight},a,b,c`)).length(8)
    expect((await refused(`${eight},i`))?.message).contain("'i'")
  })

  for (const header of ['', ',', 'a,', ',a', 'a,,b', 'A', 'ä', 'a b', 'a.b', 'x'.repeat(33)]) {
    it(`refuses '${header}'`, async () => {
      expect(await refused(header)).include({ code: 'invalid_request_tag', status: 400 })
    })
  }

  it('names the invalid value, and explains an empty one', async () => {
    expect((await refused('good, Bad'))?.message).contain("'Bad'")
    expect((await refused('good,'))?.message).contain('a value before, between or after commas is empty')
  })

  it('fills its slot with null when there is no header', async () => {
    expect((await tagsOf({})).tags).equal(null)
  })

  it('runs on dedicated endpoints only', () => {
    expect(plugin.routes).deep.equal({ surface: ['dedicated'], proxied: true })
  })
})
