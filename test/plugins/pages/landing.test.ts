import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import landing from '../../../plugins/pages/landing/index.ts'

describe('landing', () => {
  it('answers GET / on every surface, without a key', async () => {
    for (const surface of ['gateway', 'api', 'dedicated'] as const) {
      const { reply, error } = await play(landing, { route: 'landing', surface })
      expect(error).equal(undefined)
      expect(reply).deep.include({ status: 200, contentType: 'application/json' })
      expect(reply?.body).include({ object: 'gateway', status: 'ok' })
    }
  })

  it('answers no other path', async () => {
    const thrown = await play(landing, { route: 'chat' }).catch((error: Error) => error)
    expect(thrown).include({ message: "'landing' runs on no such route" })
  })
})
