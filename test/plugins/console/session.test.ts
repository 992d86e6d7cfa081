import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/session/index.ts'
import { sessionUser } from '../../../plugins/slots.ts'

const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}
const ask = (headers: Readonly<Record<string, string>>) => play(plugin, { headers, services: { sessions } })

describe('session', () => {
  it('finds the user of the cookie', async () => {
    const { exchange } = await ask({ cookie: 'theme=dark; service_session=good' })
    expect(exchange.find(sessionUser)).equal('alice')
  })

  it('is 401 for a session that has ended', async () => {
    expect((await ask({ cookie: 'service_session=old' })).error).include({ code: 'http_401', status: 401 })
  })

  it('has the code of missing credentials if there are none, and does not ask for a key', async () => {
    for (const headers of [{}, { cookie: 'theme=dark' }, { authorization: '' }]) {
      const { error } = await ask(headers as Record<string, string>)
      expect(error).include({ code: 'missing_api_key', status: 401 })
      expect(error).include({ message: 'This needs a dashboard session: sign in first.' })
    }
  })

  it('is 403 for an API key, which is no session, whatever it opens elsewhere', async () => {
    for (const headers of [{ authorization: 'Bearer service_secret' }, { 'x-api-key': 'service_secret' }]) {
      expect((await ask(headers as Record<string, string>)).error).include({ code: 'http_403', status: 403 })
    }
    const both = await ask({ authorization: 'Bearer service_secret', cookie: 'service_session=good' })
    expect(both.exchange.find(sessionUser)).equal('alice')
  })

  it('guards the routes that need a session', () => {
    expect(plugin.routes).deep.equal({ access: 'session' })
  })
})
