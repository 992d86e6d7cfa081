import { expect } from 'chai'
import { removeMember, saveMember } from '../../../lib/store/accounts.ts'
import {
  createLink,
  isStoredMember,
  openSession,
  sessionUserOf,
  startOnce,
  storeSessions,
} from '../../../lib/store/console-sessions.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21) * 1000
const MINUTE = 60_000_000

describe('console sessions', () => {
  onEveryStore(store => {
    it('are opened by a link, and belong to its user', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const opened = await openSession(store(), link, NOW + MINUTE)
      expect(opened).include({ user: 'alice', seconds: 12 * 3600 })
      expect(await sessionUserOf(store(), opened!.secret, NOW + 2 * MINUTE)).equal('alice')
    })

    it('are opened once by each link, however many try at the same time', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const opened = await Promise.all(Array.from({ length: 5 }, () => openSession(store(), link, NOW)))
      expect(opened.filter(one => one !== undefined)).length(1)
      expect(await openSession(store(), link, NOW)).equal(undefined)
    })

    it('are not opened by a link that has expired, or was made up', async () => {
      const link = await createLink(store(), 'alice', NOW)
      expect(await openSession(store(), link, NOW + 10 * MINUTE)).equal(undefined)
      expect(await openSession(store(), 'made-up', NOW)).equal(undefined)
    })

    it('are opened for somebody whom an issuer vouches for, once by each sign-in', async () => {
      const tries = Array.from({ length: 3 }, () => startOnce(store(), 'alice', 'once', NOW))
      const opened = (await Promise.all(tries)).filter(one => one !== undefined)
      expect(opened).length(1)
      expect(opened[0]).include({ user: 'alice', seconds: 12 * 3600 })
      expect(await sessionUserOf(store(), opened[0]!.secret, NOW)).equal('alice')
      // What is remembered of the sign-in opens nothing itself.
      expect(await openSession(store(), 'once', NOW)).equal(undefined)
      expect(await sessionUserOf(store(), 'once', NOW)).equal(undefined)
    })

    it('end, and are neither links nor opened by their own secret', async () => {
      const opened = await openSession(store(), await createLink(store(), 'alice', NOW), NOW)
      expect(await sessionUserOf(store(), opened!.secret, NOW + 12 * 60 * MINUTE)).equal(undefined)
      expect(await openSession(store(), opened!.secret, NOW)).equal(undefined)
      const link = await createLink(store(), 'bob', NOW)
      expect(await sessionUserOf(store(), link, NOW)).equal(undefined)
    })

    it('leave nothing of a secret in the store, and nothing at all once they have ended', async () => {
      const link = await createLink(store(), 'alice', NOW)
      const { secret } = (await openSession(store(), link, NOW))!
      const rows = await store().db.selectFrom('console_sessions').selectAll().execute()
      expect(JSON.stringify(rows)).not.contain(secret).and.not.contain(link)
      await createLink(store(), 'bob', NOW + 24 * 60 * MINUTE)
      const left = await store().db.selectFrom('console_sessions').select('user_id').execute()
      expect(left).deep.equal([{ user_id: 'bob' }])
    })

    it('are for members that the store has now', async () => {
      await saveMember(store(), ACCOUNT_ID, 'carol', 'member', NOW)
      expect(await isStoredMember(store(), 'carol')).equal(true)
      await removeMember(store(), ACCOUNT_ID, 'carol', NOW)
      expect(await isStoredMember(store(), 'carol')).equal(false)
      expect(await isStoredMember(store(), 'nobody')).equal(false)
    })
  })
})

describe('sessions', () => {
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

    it('can be ended, each by its own secret alone', async () => {
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
