import { expect } from 'chai'
import type { Services } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { isOwnForm, requireVisitor } from '../../../plugins/console/sign-in.ts'
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
    expect(await requireVisitor(services, visitor)).deep.equal({ user: 'alice', secret: 'good' })
    expect(visitor.replies).deep.equal([])
  })

  it('has the button of an issuer if one is configured', async () => {
    const oidc = { label: 'Sign in with <Acme>' } as NonNullable<Services['oidc']>
    const unknown = exchangeOf('')
    const config = { ...services.config, console: {} } as Services['config']
    await requireVisitor(testServices([], { sessions, oidc, config }), unknown)
    expect(unknown.replies[0]!.page).contain('href="/console/login/oidc">Sign in with &lt;Acme&gt;</a>')
    const other = exchangeOf('')
    await requireVisitor(services, other)
    expect(other.replies[0]!.page).not.contain('oidc')
  })

  it('is renewed by itself where groups are judged, if there was a session and no form is lost', async () => {
    const oidc = { label: 'Sign in' } as NonNullable<Services['oidc']>
    const config = { ...services.config, console: { oidc: { accounts: { claim: 'groups', map: {} } } } } as never
    const pageFor = async (cookie: string, method: string, own: Partial<Services> = { config }) => {
      const exchange = exchangeOf(cookie, method)
      await requireVisitor(testServices([], { sessions, oidc, ...own }), exchange)
      return exchange.replies[0]!.page
    }
    const refresh = 'http-equiv="refresh" content="0;url=/console/login/oidc"'
    expect(await pageFor('service_session=old', 'GET')).contain(refresh)
    expect(await pageFor('service_session=old', 'POST')).not.contain(refresh)
    expect(await pageFor('', 'GET')).not.contain(refresh)
    const plain = { ...services.config, console: {} } as Services['config']
    expect(await pageFor('service_session=old', 'GET', { config: plain })).not.contain(refresh)
  })

  it('is required in the session of the form', () => {
    const visitor = { user: 'alice', secret: 'good' }
    const isOwn = (token: string) => isOwnForm(visitor, new URLSearchParams({ [TOKEN]: token }))
    expect(['', formToken('other'), formToken('good')].map(isOwn)).deep.equal([false, false, true])
  })
})
