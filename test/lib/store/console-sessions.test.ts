import { expect } from 'chai'
import { removeMember, saveMember } from '../../../lib/store/accounts.ts'
import { createLink, isStoredMember, storeSessions } from '../../../lib/store/console-sessions.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { clockAt, ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21) * 1000
const MINUTE = 60_000_000

describe('console sessions', () => {
  onEveryStore(store => {
    const sessions = (now: number) => storeSessions(queryRunner(store()), clockAt(now))

    it('are opened by a link, and belong to its user', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const opened = await sessions(NOW + MINUTE).open(link)
      expect(opened).include({ user: 'alice', seconds: 12 * 3600 })
      expect(await sessions(NOW + 2 * MINUTE).userOf(opened!.secret)).equal('alice')
    })

    it('are opened once per link, also by concurrent attempts', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const opened = await Promise.all(Array.from({ length: 5 }, () => sessions(NOW).open(link)))
      expect(opened.filter(one => one !== undefined)).length(1)
      expect(await sessions(NOW).open(link)).equal(undefined)
    })

    it('are not opened by an expired or unknown link', async () => {
      const link = await createLink(store(), 'alice', NOW)
      expect(await sessions(NOW + 10 * MINUTE).open(link)).equal(undefined)
      expect(await sessions(NOW).open('made-up')).equal(undefined)
    })

    it('are opened for a user whom an issuer has verified, once per sign-in', async () => {
      const tries = Array.from({ length: 3 }, () => sessions(NOW).start('alice', 'once'))
      const opened = (await Promise.all(tries)).filter(one => one !== undefined)
      expect(opened).length(1)
      expect(opened[0]).include({ user: 'alice', seconds: 12 * 3600 })
      expect(await sessions(NOW).userOf(opened[0]!.secret)).equal('alice')
      // The stored secret of the sign-in opens nothing.
      expect(await sessions(NOW).open('once')).equal(undefined)
      expect(await sessions(NOW).userOf('once')).equal(undefined)
    })

    it('end, and their secrets are no links', async () => {
      const opened = await sessions(NOW).open(await createLink(store(), 'alice', NOW))
      expect(await sessions(NOW + 12 * 60 * MINUTE).userOf(opened!.secret)).equal(undefined)
      expect(await sessions(NOW).open(opened!.secret)).equal(undefined)
      const link = await createLink(store(), 'bob', NOW)
      expect(await sessions(NOW).userOf(link)).equal(undefined)
    })

    it('leave no secret in the store, and no row after their end', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const { secret } = (await sessions(NOW).open(link))!
      const rows = await store().db.selectFrom('console_sessions').selectAll().execute()
      expect(JSON.stringify(rows)).not.contain(secret).and.not.contain(link)
      await createLink(store(), 'bob', NOW + 24 * 60 * MINUTE)
      const left = await store().db.selectFrom('console_sessions').select('user_id').execute()
      expect(left).deep.equal([{ user_id: 'bob' }])
    })

    it('are for current members of the store', async () => {
      await saveMember(store(), ACCOUNT_ID, 'carol', 'member', NOW)
      expect(await isStoredMember(store(), 'carol')).equal(true)
      await removeMember(store(), ACCOUNT_ID, 'carol', NOW)
      expect(await isStoredMember(store(), 'carol')).equal(false)
      expect(await isStoredMember(store(), 'nobody')).equal(false)
    })
  })
})

describe('sessions of the console', () => {
  onEveryStore(store => {
    it('last as long as their cookie', async () => {
      const clock = new ManualClock()
      const sessions = storeSessions(queryRunner(store()), clock)
      const link = await createLink(store(), 'alice', clock.now() * 1000)
      const { secret, seconds } = (await sessions.open(link))!
      expect(await sessions.open(link)).equal(undefined)
      clock.advance(seconds * 1000 - 1)
      expect(await sessions.userOf(secret)).equal('alice')
      clock.advance(1)
      expect(await sessions.userOf(secret)).equal(undefined)
    })

    it('can be ended by their secret', async () => {
      const clock = new ManualClock()
      const sessions = storeSessions(queryRunner(store()), clock)
      const link = () => createLink(store(), 'alice', clock.now() * 1000)
      const [one, other, unused] = [await sessions.open(await link()), await sessions.open(await link()), await link()]
      for (const secret of [one!.secret, one!.secret, 'made-up', unused]) await sessions.close(secret)
      expect(await sessions.userOf(one!.secret)).equal(undefined)
      expect(await sessions.userOf(other!.secret)).equal('alice')
      expect(await sessions.open(unused)).include({ user: 'alice' })
    })
  })
})
