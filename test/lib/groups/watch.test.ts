import { expect } from 'chai'
import { pino } from 'pino'
import type { Config } from '../../../lib/config/config.ts'
import { judgingSignIn } from '../../../lib/groups/judge.ts'
import { watchGroups } from '../../../lib/groups/watch.ts'
import { consoleSignIn } from '../../../lib/oidc/audiences.ts'
import { listMembers } from '../../../lib/store/accounts.ts'
import { storeSessions } from '../../../lib/store/console-sessions.ts'
import { createKey, findKey } from '../../../lib/store/keys.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { oidcOf, queryOf, useIssuer } from '../../support/issuer.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const QUARTER_MS = 15 * 60_000

describe('judging sessions while they last', () => {
  const issuer = useIssuer()
  onEveryStore(store => {
    let clock: ManualClock
    let ends: (() => Promise<void>)[]
    const lines: string[] = []
    beforeEach(() => {
      clock = new ManualClock()
      ends = []
      lines.length = 0
    })
    afterEach(() => Promise.all(ends.map(end => end())))

    const configOf = (): Config => {
      const map = { devs: { account: ACCOUNT_ID, role: 'member' as const } }
      const oidc = oidcOf(issuer(), { accounts: { claim: 'groups', map } })
      return { accounts: [{ id: ACCOUNT_ID, members: [], keys: [] }], console: { oidc } } as unknown as Config
    }
    const watch = (config: Config) => {
      const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
      ends.push(watchGroups({ store: store(), config: () => config, clock, log, changed: async () => {}, everyMs: 20 }))
    }
    const sessions = () => storeSessions(queryRunner(store()), clock)

    /** Signs alice in, and returns the secret of the session. */
    async function signedIn(config: Config): Promise<string> {
      const run = queryRunner(store())
      const parts = { run, config, clock, log: silent, changed: async () => {} }
      const signIn = judgingSignIn(consoleSignIn(config, clock), parts)!
      const { location, sealed } = await signIn.begin('https://gateway.test/console/login/oidc/callback')
      const { names, once, judged } = await signIn.finish(await queryOf(location), sealed)
      return (await sessions().start(names[0]!, once, judged))!.secret
    }
    const memberships = async () =>
      (await listMembers(store(), ACCOUNT_ID)).map(({ user, removed }) => ({ user, removed }))
    /** The next judgement is in 15 minutes. */
    const isJudged = async () => {
      const rows = await store()
        .db.selectFrom('console_sessions')
        .select('judge_at')
        .where('kind', '=', 'session')
        .execute()
      return rows.every(({ judge_at }) => judge_at === (clock.now() + QUARTER_MS) * 1000)
    }
    const asked = () => issuer().asked.filter(path => path === '/token').length

    it('asks the issuer every 15 minutes, once for all processes', async () => {
      issuer().next = { refresh: true, claims: { groups: ['devs'] } }
      const config = configOf()
      const secret = await signedIn(config)
      const before = asked()
      for (let i = 0; i < 3; i++) watch(config)
      for (let round = 1; round <= 3; round++) {
        clock.advance(QUARTER_MS)
        await eventually(isJudged)
        expect(asked()).equal(before + round)
        expect(await sessions().userOf(secret)).equal('alice@test')
      }
      expect(await memberships()).deep.equal([{ user: 'alice@test', removed: false }])
    })

    it('ends sessions and disables keys after the last group', async () => {
      issuer().next = { refresh: true, claims: { groups: ['devs'] } }
      const config = configOf()
      const secret = await signedIn(config)
      const fields = { account_id: ACCOUNT_ID, user: 'alice@test', kind: 'serverless', endpoints: [] } as const
      const { id } = await createKey(store(), 'service', fields, 1)
      watch(config)
      issuer().next = { refresh: true, claims: { groups: ['others'] } }
      clock.advance(QUARTER_MS)
      await eventually(async () => (await sessions().userOf(secret)) === undefined)
      expect(await findKey(store(), id)).include({ disabled: true })
      expect(await memberships()).deep.equal([{ user: 'alice@test', removed: true }])
    })

    it('ends a session that the issuer no longer renews, without a change of members', async () => {
      issuer().next = { refresh: true, claims: { groups: ['devs'] } }
      const config = configOf()
      const secret = await signedIn(config)
      watch(config)
      issuer().next = { tokenError: { error: 'invalid_grant' } }
      clock.advance(QUARTER_MS)
      await eventually(async () => (await sessions().userOf(secret)) === undefined)
      expect(await memberships()).deep.equal([{ user: 'alice@test', removed: false }])
    })

    it('keeps a session while the issuer does not answer, and asks again', async () => {
      issuer().next = { refresh: true, claims: { groups: ['devs'] } }
      const config = configOf()
      const secret = await signedIn(config)
      watch(config)
      issuer().next = { broken: '/token' }
      clock.advance(QUARTER_MS)
      await eventually(() => lines.join().includes('unreachable'))
      expect(await sessions().userOf(secret)).equal('alice@test')
      for (const token of issuer().secrets) expect(lines.join()).not.contain(token)
      issuer().next = { refresh: true, claims: { groups: [] } }
      clock.advance(5 * 60_000)
      await eventually(async () => (await sessions().userOf(secret)) === undefined)
    })
  })
})
