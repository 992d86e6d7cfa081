import { expect } from 'chai'
import { play, type Scene } from '../../../lib/testing.ts'
import requestId from '../../../plugins/request/request-id/index.ts'

const headersOf = async (scene: Scene) => {
  const { headers, exchange } = await play(requestId, scene)
  return { headers, shown: exchange.requestId }
}

// docs/api/README.md#request-ids
describe('request-id', () => {
  it('is sent on every response, as the exchange has it', async () => {
    for (const surface of ['gateway', 'dedicated'] as const) {
      const { headers, shown } = await headersOf({ surface, route: 'chat' })
      expect(headers).deep.equal({ 'x-request-id': shown })
      expect(shown).match(surface === 'gateway' ? /^req_[0-9a-f]{12}$/ : /^[0-9a-f]{12}$/)
    }
  })

  it('echoes that of the client', async () => {
    const { headers } = await headersOf({ headers: { 'x-request-id': 'mine' } })
    expect(headers).deep.equal({ 'x-request-id': 'client_mine' })
  })

  it('is sent on Messages under the name that its clients read, too', async () => {
    for (const route of ['messages', 'count-tokens'] as const) {
      const { headers, shown } = await headersOf({ route })
      expect(headers).deep.equal({ 'x-request-id': shown, 'request-id': shown })
    }
  })
})
