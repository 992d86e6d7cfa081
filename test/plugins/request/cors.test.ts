import { expect } from 'chai'
import type { Config } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import cors from '../../../plugins/request/cors/index.ts'
import { type TestGateway, testGateway } from '../../support/gateway.ts'

const PAGE = 'https://app.example.com'

const headersFor = async (origins: readonly string[], origin?: string) => {
  const config = { brand: 'service', cors: { origins } } as Config
  const headers = origin === undefined ? {} : { origin }
  return (await play(cors, { services: { config }, headers, route: 'model-list' })).headers
}

describe('cors', () => {
  it('adds no headers without configured origins', async () => {
    expect(await headersFor([], PAGE)).deep.equal({})
  })

  it('allows the configured origins and no other', async () => {
    const allowed = await headersFor([PAGE], PAGE)
    expect(allowed).include({ 'access-control-allow-origin': PAGE, vary: 'origin' })
    expect(await headersFor([PAGE], 'https://evil.example')).deep.equal({ vary: 'origin' })
    expect(await headersFor([PAGE])).deep.equal({ vary: 'origin' })
  })

  it('lets scripts read the headers that the gateway sets', async () => {
    const { 'access-control-expose-headers': exposed } = await headersFor([PAGE], PAGE)
    const plain = ['x-request-id', 'request-id', 'retry-after', 'retry-after-ms', 'x-should-retry']
    const limits = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    const left = ['quota-remaining', 'budget-remaining-cents', 'credits-available-cents']
    const branded = ['input-tokens-estimated', 'ignored', ...left, 'queue-ms', 'fallback', 'loop']
    expect(exposed?.split(', ')).have.members([...plain, ...limits, ...branded.map(name => `x-service-${name}`)])
  })

  it('allows every origin with *', async () => {
    expect(await headersFor(['*'], 'https://any.example')).include({ 'access-control-allow-origin': '*' })
  })

  describe('over HTTP', () => {
    let gateway: TestGateway
    before(async () => {
      gateway = await testGateway({ backends: ['http://127.0.0.1:9/v1'], more: { cors: { origins: [PAGE] } } })
    })
    after(() => gateway?.close())

    it('answers a preflight without a key, and adds the headers to errors', async () => {
      const preflight = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'OPTIONS',
        headers: {
          origin: PAGE,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type',
        },
      })
      expect(preflight.status).equal(204)
      expect(preflight.headers.get('access-control-allow-origin')).equal(PAGE)
      expect(preflight.headers.get('access-control-allow-headers')).equal('authorization, content-type')
      expect(preflight.headers.get('x-request-id')).match(/^req_/)
      expect([preflight.headers.has('content-length'), preflight.headers.has('content-type')]).deep.equal([
        false,
        false,
      ])
      const refused = await fetch(`${gateway.url}/v1/models`, { headers: { origin: PAGE } })
      expect(refused.status).equal(401)
      expect(refused.headers.get('access-control-allow-origin')).equal(PAGE)
    })
  })
})
