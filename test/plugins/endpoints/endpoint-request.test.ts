import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/endpoints/endpoint-request/index.ts'
import { key } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'

const given = [[key, keyOf({}, { endpoints: ['a.test', 'b.test'] })]] as const
const ID = '5d3f0a91c27e'
const UUID = '019353c5-7b1e-7000-8000-5d3f0a91c27e'

/** A store with this request of a.test. */
const ask = async (request_id: string, query = 'endpoint=a.test') => {
  const { reports, asked } = fakeReports({
    request: async (endpoint, id) => (endpoint === 'a.test' && id.endsWith(ID) ? { request_id: ID } : undefined),
  })
  return { ...(await play(plugin, { given, params: { request_id }, query, services: { reports } })), asked }
}

describe('endpoint-request', () => {
  it('finds a request by every form of its id', async () => {
    for (const id of [ID, UUID, `req_${ID}`]) {
      const { reply } = await ask(id)
      expect(reply, id).include({ status: 200 })
      expect(reply?.body).deep.equal({ request_id: ID })
    }
  })

  it('refuses an invalid id', async () => {
    for (const id of ['x', ID.slice(1), `${ID}0`, 'zd3f0a91c27e', UUID.slice(1), `${UUID}0`, '%20', "' or 1=1"]) {
      const { error, asked } = await ask(id)
      expect(error, id).include({ code: 'schema_validation_failed', status: 422 })
      expect(error!.details.param).equal('request_id')
      expect(asked).deep.equal([])
    }
  })

  it('does not find the request of another endpoint, nor one that does not exist', async () => {
    for (const [id, endpoint] of [
      [ID, 'b.test'],
      ['000000000000', 'a.test'],
    ] as const) {
      const { error } = await ask(id, `endpoint=${endpoint}`)
      expect(error).include({ code: 'http_404', status: 404 })
    }
  })

  it('needs an endpoint, and one that the key opens', async () => {
    expect((await ask(ID, '')).error).include({ status: 422 })
    expect((await ask(ID, 'endpoint=c.test')).error).include({ code: 'http_403', status: 403 })
  })
})
