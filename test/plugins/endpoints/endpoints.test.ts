import { expect } from 'chai'
import type { Config } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/endpoints/endpoints/index.ts'
import { key } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'

const config = { endpoints: ['a.test', 'b.test', 'c.test'].map(host => ({ host, models: [] })) } as unknown as Config

const ask = (endpoints: readonly string[], query = '') =>
  play(plugin, { given: [[key, keyOf({}, { endpoints })]], query, services: { config } })

const listed = async (endpoints: readonly string[]) => (await ask(endpoints)).reply

describe('endpoints', () => {
  it('lists the endpoints of the key and no other', async () => {
    const reply = await listed(['c.test', 'a.test'])
    expect(reply?.status).equal(200)
    expect(reply?.body).deep.equal({ endpoints: [{ endpoint: 'c.test' }, { endpoint: 'a.test' }] })
  })

  it('omits endpoints that are not served', async () => {
    expect((await listed(['gone.test', 'b.test']))?.body).deep.equal({ endpoints: [{ endpoint: 'b.test' }] })
  })

  it('is an empty list for a key without endpoints', async () => {
    expect((await listed([]))?.body).deep.equal({ endpoints: [] })
  })

  it('refuses any parameter, because none has an effect', async () => {
    const { error, reply } = await ask(['a.test'], 'endpoint=a.test')
    expect(reply).equal(null)
    expect(error).include({ status: 400, code: 'unsupported_parameter' })
    expect(error!.details.param).equal('endpoint')
    expect(error!.message).equal("Parameter 'endpoint' is not supported here; there is none.")
  })
})
