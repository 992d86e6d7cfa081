import { expect } from 'chai'
import { createLink, storeSessions } from '../../../lib/store/console-sessions.ts'
import { createOperatorKey, revokeOperatorKey } from '../../../lib/store/operator-keys.ts'
import {
  closeOperatorSession,
  createOperatorLink,
  OPERATOR_SESSION_SECONDS,
  openByLink,
  openOidcSession,
  openOperatorSession,
  operatorOfSession,
} from '../../../lib/store/operator-sessions.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { clockAt } from '../../support/clock.ts'
import { silent } from '../../support/stores.ts'

const NOW = 1_800_000_000_000_000
const MINUTE = 60_000_000

describe('sessions of operators', () => {
  let store: Store
  let id = ''
  beforeEach(async () => {
    store = await openStore('sqlite::memory:', { log: silent })
    id = (await createOperatorKey(store, 'service', 'alice', NOW)).id
  })
  afterEach(() => store.close())

  it('are opened by a link, once and within ten minutes', async () => {
    const link = await createOperatorLink(store, id, NOW)
    const late = await createOperatorLink(store, id, NOW)
    const session = await openByLink(store, link, NOW + 9 * MINUTE)
    expect(await operatorOfSession(store, session!, NOW + 9 * MINUTE)).deep.equal({ id, name: 'alice' })
    expect(await openByLink(store, link, NOW + 9 * MINUTE)).equal(undefined)
    expect(await openByLink(store, late, NOW + 10 * MINUTE)).equal(undefined)
  })

  it('are opened for an operator whom an issuer has verified, once per sign-in, and end', async () => {
    const person = { name: 'alice@test', rule: 'group:ops' }
    const secret = await openOidcSession(store, person, 'once', NOW)
    expect(await openOidcSession(store, person, 'once', NOW)).equal(undefined)
    expect(await operatorOfSession(store, secret!, NOW)).deep.equal({ id: 'oidc', ...person })
    expect(await operatorOfSession(store, 'once', NOW)).equal(undefined)
    expect(await operatorOfSession(store, secret!, NOW + OPERATOR_SESSION_SECONDS * 1_000_000)).equal(undefined)
    await closeOperatorSession(store, secret!)
    expect(await operatorOfSession(store, secret!, NOW)).equal(undefined)
  })

  it('end after their time, by a sign-out, and with the key', async () => {
    const secrets = await Promise.all([1, 2, 3].map(() => openOperatorSession(store, id, NOW)))
    const [first, second, third] = secrets as [string, string, string]
    const end = NOW + OPERATOR_SESSION_SECONDS * 1_000_000
    expect(await operatorOfSession(store, first, end - 1)).not.equal(undefined)
    expect(await operatorOfSession(store, first, end)).equal(undefined)
    await closeOperatorSession(store, second)
    expect(await operatorOfSession(store, second, NOW)).equal(undefined)
    expect(await operatorOfSession(store, third, NOW)).not.equal(undefined)
    await revokeOperatorKey(store, id, NOW)
    expect(await operatorOfSession(store, third, NOW)).equal(undefined)
  })

  it('are different from sessions of the console', async () => {
    const link = await createLink(store, 'alice', NOW)
    expect(await openByLink(store, link, NOW)).equal(undefined)
    const sessions = storeSessions(run => run(store), clockAt(NOW))
    const { secret } = (await sessions.open(link))!
    expect(await operatorOfSession(store, secret, NOW)).equal(undefined)
    const own = await openOperatorSession(store, id, NOW)
    expect(await sessions.userOf(own)).equal(undefined)
    expect(await sessions.open(await createOperatorLink(store, id, NOW))).equal(undefined)
  })
})
