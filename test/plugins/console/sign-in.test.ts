import { expect } from 'chai'
import type { Services } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { isOwnForm, replyMissing, requireVisitor } from '../../../plugins/console/sign-in.ts'
import { TOKEN } from '../../../plugins/console/visitor.ts'
import { formToken } from '../../support/visitors.ts'

const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => (secret === 'good' ? 'alice' : undefined),
  close: async () => {},
}
const services = testServices([], { sessions })

function exchangeOf(cookie: string, method = 'GET') {
  const replies: { status: number; page: string }[] = []
  const reply = (status: number, page: string) => void replies.push({ status, page })
  return { headers: { cookie }, method, setHeader() {}, reply, replies }
}

describe('sign-in', () => {
  it('is explained without a session, and a visitor with a session passes', async () => {
    const unknown = exchangeOf('service_session=old')
    expect(await requireVisitor(services, unknown)).equal(undefined)
    expect(unknown.replies[0]).property('status', 401)
    expect(unknown.replies[0]!.page).contain('Not signed in').and.contain('sluiceway login USER')

    const visitor = exchangeOf('service_session=good')
    expect(await requireVisitor(services, visitor)).include({ user: 'alice', secret: 'good' })
    expect(visitor.replies).deep.equal([])
  })

  it('says after a form alone that nothing was changed, and where the entered values are', async () => {
    const pageOf = async (method: string) => {
      const unknown = exchangeOf('', method)
      await requireVisitor(services, unknown)
      return unknown.replies[0]!.page
    }
    expect(await pageOf('GET')).not.match(/Nothing was changed|still there/)
    expect(await pageOf('POST')).match(/Nothing was changed.*still there/s)
  })

  it('has the button of an issuer if one is configured', async () => {
    const oidc = { label: 'Sign in with <Acme>' } as NonNullable<Services['oidc']>
    const unknown = exchangeOf('')
    await requireVisitor(testServices([], { sessions, oidc }), unknown)
    expect(unknown.replies[0]!.page).contain('href="/console/login/oidc">Sign in with &lt;Acme&gt;</a>')
    const other = exchangeOf('')
    await requireVisitor(services, other)
    expect(other.replies[0]!.page).not.contain('oidc')
  })

  it('is explained at an address without a page, and a visitor gets the navigation', async () => {
    const unknown = exchangeOf('service_session=old')
    await replyMissing(services, unknown)
    expect(unknown.replies[0]).property('status', 404)
    expect(unknown.replies[0]!.page).contain('There is no page at this address').and.contain('href="/console"')
    expect(unknown.replies[0]!.page).not.contain('<nav')

    const visitor = exchangeOf('service_session=good')
    await replyMissing(services, visitor)
    expect(visitor.replies[0]).property('status', 404)
    expect(visitor.replies[0]!.page).contain('<nav').and.contain('href="/console/find"').and.contain('alice')
    expect(visitor.replies[0]!.page).not.contain('aria-current')
  })

  it('is required in the session of the form', () => {
    const visitor = { user: 'alice', secret: 'good' }
    const isOwn = (token: string) => isOwnForm(visitor, new URLSearchParams({ [TOKEN]: token }))
    expect(['', formToken('other'), formToken('good')].map(isOwn)).deep.equal([false, false, true])
  })
})
