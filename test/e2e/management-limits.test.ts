import { expect } from 'chai'
import { type TestGateway, testGateway } from '../support/gateway.ts'

const ENDPOINT = 'acme-1.test'
const KEY = 'service_limited_secret'

/** docs/api/README.md#limits: requests per minute. Both usage reports share a limit. */
const LIMITS: Readonly<Record<string, number>> = {
  '/v1/endpoints': 20,
  [`/v1/endpoints/metrics?endpoint=${ENDPOINT}`]: 20,
  [`/v1/endpoints/requests?endpoint=${ENDPOINT}`]: 30,
  [`/v1/endpoints/requests/000000000000?endpoint=${ENDPOINT}`]: 30,
  '/v1/usage/me?period=1d': 60,
}

describe('limits a minute of management and usage routes', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway({
      backends: ['http://127.0.0.1:9/v1'],
      account: { keys: [{ id: 'k', kind: 'dedicated', secret: KEY, endpoints: [ENDPOINT] }] },
      more: { endpoints: [{ host: ENDPOINT, models: ['m'] }] },
    })
  })
  after(() => gateway?.close())

  for (const [path, limit] of Object.entries(LIMITS)) {
    it(`are ${limit} for ${path}, each route by itself`, async () => {
      const ask = () => gateway.get(path, { authorization: `Bearer ${KEY}` })
      for (let i = 0; i < limit; i++) expect((await ask()).status, `request ${i + 1}`).not.equal(429)
      const refused = await ask()
      expect(refused.status).equal(429)
      expect(await refused.json()).nested.include({ 'error.code': 'rate_limit_exceeded' })
      const header = (name: string) => Number(refused.headers.get(name))
      // A minute after the first request, in whole seconds.
      expect(header('retry-after')).within(1, 61)
      expect(header('ratelimit-reset')).within(1, 61)
      expect(header('ratelimit-limit')).equal(limit)
      expect(refused.headers.get('ratelimit-remaining')).equal('0')
    })
  }
})
