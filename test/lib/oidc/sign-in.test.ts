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

  it('may start in one process and end in another', async () => {
    const { sealed, query } = await begun()
    const { claims, once } = await create().finish(query, sealed)
    expect(claims).include({ email: 'alice@test' })
    expect(once).equal(new URLSearchParams(query).get('state'))
  })

  it('needs the cookie of this sign-in and audience', async () => {
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

  it('has a time limit of ten minutes', async () => {
    const { sealed, query } = await begun()
    clock.advance((SIGN_IN_SECONDS + 1) * 1000)
    expect(await reason(create().finish(query, sealed))).equal('not_begun')
  })

  it('redeems a code once', async () => {
    const { sealed, query } = await begun()
    expect(await reason(create().finish(query, sealed))).equal('none')
    expect(await reason(create().finish(query, sealed))).equal('used')
  })

  it('encrypts the cookie', async () => {
    const { location, sealed } = await create().begin(CALLBACK)
    const nonce = new URL(location).searchParams.get('nonce')!
    expect(sealed)
      .match(/^[\w-]+$/)
      .and.have.length.below(1500)
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.contain(nonce).and.not.contain('gateway.test')
  })

  it('has the redirect URI of the configuration, else that of the caller', async () => {
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
    // This issuer rejects clients without a secret.
    ['a public client', undefined],
  ] as const)
    it(`of ${whose} uses the secret that all processes share`, async () => {
      const { client_secret: _, ...oidc } = oidcOf(issuer())
      const config = client_secret === undefined ? oidc : { ...oidc, client_secret }
      const create = (shared: string) =>
        createSignIn(config, { audience: 'console', wanted: [], clock, sharedSecret: () => shared })
      const { location, sealed } = await create('ours').begin(CALLBACK)
      const query = await queryOf(location)
      expect(await reason(create('theirs').finish(query, sealed))).equal('not_begun')
      expect(await reason(create('ours').finish(query, sealed))).equal('client')
    })

  it('has a cookie that is never the same twice', async () => {
    const signIn = create()
    expect((await signIn.begin(CALLBACK)).sealed).not.equal((await signIn.begin(CALLBACK)).sealed)
  })

  it('rejects a cookie that was changed in any byte', async () => {
    const { sealed, query } = await begun()
    const signIn = create()
    const bytes = Buffer.from(sealed, 'base64url')
    for (const i of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      expect(await reason(signIn.finish(query, changed.toString('base64url'))), `byte ${i}`).equal('not_begun')
    }
    expect(await reason(signIn.finish(query, sealed))).equal('none')
  })

  it('rejects a cookie that it has not made', async () => {
    const { query } = await begun()
    for (const text of ['', 'x', 'A'.repeat(38), '{"state":"abc"}', 'A'.repeat(100_000)])
      expect(await reason(create().finish(query, text)), text.slice(0, 20)).equal('not_begun')
  })
})
