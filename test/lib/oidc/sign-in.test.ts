import { expect } from 'chai'
import type { IssuerConfig } from '../../../lib/config/config.ts'
import type { SignInFailure } from '../../../lib/oidc/failure.ts'
import { createSignIn, SIGN_IN_SECONDS, type SignInOptions } from '../../../lib/oidc/sign-in.ts'
import { ManualClock } from '../../support/clock.ts'
import { oidcOf, queryOf, useIssuer } from '../../support/issuer.ts'

const CALLBACK = 'https://gateway.test/console/login/oidc/callback'

describe('signing in by an issuer', () => {
  const issuer = useIssuer()
  let clock: ManualClock
  beforeEach(() => {
    clock = new ManualClock()
  })
  const create = (more: Partial<IssuerConfig> = {}, options: Partial<SignInOptions> = {}) =>
    createSignIn(oidcOf(issuer(), more), {
      audience: 'console',
      wanted: [],
      clock,
      sharedSecret: () => 'a secret of all processes',
      ...options,
    })
  const begun = async (signIn = create()) => {
    const { location, sealed } = await signIn.begin(CALLBACK)
    return { sealed, query: await queryOf(location) }
  }
  const reason = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (failure: SignInFailure) => failure.reason,
    )

  it('may end in another process than it has begun in', async () => {
    const { sealed, query } = await begun()
    const { claims, once } = await create().finish(query, sealed)
    expect(claims).include({ email: 'alice@test' })
    expect(once).equal(new URLSearchParams(query).get('state'))
  })

  it('needs what this browser was given, and nothing that was given for something else', async () => {
    const mine = await begun()
    const another = await begun()
    const foreign = await begun(create({}, { audience: 'operators' }))
    expect(await reason(create().finish(mine.query, undefined))).equal('not_begun')
    expect(await reason(create().finish(mine.query, another.sealed))).equal('not_begun')
    expect(await reason(create().finish(foreign.query, foreign.sealed))).equal('not_begun')
    for (const query of ['', 'code=x', 'state=', `${mine.query}&state=x`, mine.query.replace(/state=[^&]+/, 'state=x')])
      expect(await reason(create().finish(query, mine.sealed)), query).equal('not_begun')
    expect(await reason(create().finish(mine.query, mine.sealed))).equal('none')
  })

  it('takes ten minutes at most', async () => {
    const { sealed, query } = await begun()
    clock.advance((SIGN_IN_SECONDS + 1) * 1000)
    expect(await reason(create().finish(query, sealed))).equal('not_begun')
  })

  it('redeems a code once', async () => {
    const { sealed, query } = await begun()
    expect(await reason(create().finish(query, sealed))).equal('none')
    expect(await reason(create().finish(query, sealed))).equal('used')
  })

  it('shows the browser nothing that it is checked against', async () => {
    const { location, sealed } = await create().begin(CALLBACK)
    const nonce = new URL(location).searchParams.get('nonce')!
    expect(sealed)
      .match(/^[\w-]+$/)
      .and.have.length.below(1500)
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.contain(nonce).and.not.contain('gateway.test')
  })

  it('comes back to the configured address, else to that of the browser', async () => {
    const redirect = async (more: Partial<IssuerConfig>) =>
      new URL((await create(more).begin(CALLBACK)).location).searchParams.get('redirect_uri')
    expect(await redirect({})).equal(CALLBACK)
    const redirect_uri = 'https://pass.test/console/login/oidc/callback'
    expect(await redirect({ redirect_uri })).equal(redirect_uri)
    const { sealed, query } = await begun(create({ redirect_uri }))
    expect(await reason(create({ redirect_uri }).finish(query, sealed))).equal('none')
  })

  for (const [whose, client_secret] of [
    ['a client with a short secret', 'short'],
    // This issuer takes no client without a secret.
    ['a public client', undefined],
  ] as const)
    it(`of ${whose} is sealed by what the processes share`, async () => {
      const { client_secret: _, ...oidc } = oidcOf(issuer())
      const config = client_secret === undefined ? oidc : { ...oidc, client_secret }
      const create = (shared: string) =>
        createSignIn(config, { audience: 'console', wanted: [], clock, sharedSecret: () => shared })
      const { location, sealed } = await create('ours').begin(CALLBACK)
      const query = await queryOf(location)
      expect(await reason(create('theirs').finish(query, sealed))).equal('not_begun')
      expect(await reason(create('ours').finish(query, sealed))).equal('client')
    })
})
