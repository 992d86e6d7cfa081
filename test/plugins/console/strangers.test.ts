import { expect } from 'chai'
import type { Services } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { admit, isOwnForm } from '../../../plugins/console/strangers.ts'
import { formToken, TOKEN } from '../../../plugins/console/visitor.ts'

const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}
const services = testServices([], { sessions })

function exchangeOf(cookie: string) {
  const replies: { status: number; page: string }[] = []
  const reply = (status: number, page: string) => void replies.push({ status, page })
  return { headers: { cookie }, setHeader() {}, reply, replies }
}

describe('strangers', () => {
  it('are told how to sign in, and visitors are let in', async () => {
    const stranger = exchangeOf('service_session=old')
    expect(await admit(services, stranger)).equal(undefined)
    expect(stranger.replies[0]).property('status', 401)
    expect(stranger.replies[0]!.page).contain('Not signed in').and.contain('sluiceway login USER')

    const visitor = exchangeOf('service_session=good')
    expect(await admit(services, visitor)).deep.equal({ user: 'alice', secret: 'good' })
    expect(visitor.replies).deep.equal([])
  })

  it('see the button of an issuer where there is one', async () => {
    const oidc = { label: 'Sign in with <Acme>' } as NonNullable<Services['oidc']>
    const stranger = exchangeOf('')
    await admit(testServices([], { sessions, oidc }), stranger)
    expect(stranger.replies[0]!.page).contain('href="/console/login/oidc">Sign in with &lt;Acme&gt;</a>')
    const other = exchangeOf('')
    await admit(services, other)
    expect(other.replies[0]!.page).not.contain('oidc')
  })

  it('cannot send a form of somebody else', () => {
    const visitor = { user: 'alice', secret: 'good' }
    const isOwn = (token: string) => isOwnForm(visitor, new URLSearchParams({ [TOKEN]: token }))
    expect(['', formToken('other'), formToken('good')].map(isOwn)).deep.equal([false, false, true])
  })
})
