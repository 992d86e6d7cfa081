import { expect } from 'chai'
import { listAudit } from '../../../lib/store/audit.ts'
import { createLink, storeSessions } from '../../../lib/store/console-sessions.ts'
import { endJudgedSession, JUDGE_MICROS, noteRenewal, takeDueSessions } from '../../../lib/store/judged-sessions.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { clockAt } from '../../support/clock.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 28) * 1000
const DUE = NOW + JUDGE_MICROS
const SOON = DUE + 60_000_000

describe('judged sessions', () => {
  onEveryStore(store => {
    const sessions = (now = NOW) => storeSessions(queryRunner(store()), clockAt(now))
    const take = (now: number, until = SOON) => takeDueSessions(store(), now, until, 10)

    it('are due after 15 minutes, for one process at a time', async () => {
      await sessions().start('alice', 'once', { renewal: 'sealed' })
      await sessions().start('bob', 'twice')
      await createLink(store(), 'carol', NOW)
      expect(await take(DUE - 1)).deep.equal([])
      const taken = await Promise.all([take(DUE), take(DUE), take(DUE)])
      expect(taken.flat().map(({ user, renewal }) => [user, renewal])).deep.equal([['alice', 'sealed']])
      const [again] = await take(SOON)
      await noteRenewal(store(), again!, 'next', SOON + JUDGE_MICROS)
      expect(await take(SOON + 1, SOON)).deep.equal([])
      expect((await take(SOON + JUDGE_MICROS))[0]).include({ user: 'alice', renewal: 'next' })
    })

    it('end when the issuer refuses, once in the audit log', async () => {
      const opened = (await sessions().start('alice', 'once', { renewal: 'sealed' }))!
      const [due] = await take(DUE)
      const end = { actor: { name: 'issuer login.test', address: null }, reason: 'used', now: DUE }
      await endJudgedSession(store(), due!, end)
      await endJudgedSession(store(), due!, end)
      expect(await sessions().userOf(opened.secret)).equal(undefined)
      const { entries } = await listAudit(store(), { action: 'session.close' }, undefined, 10)
      expect(entries.map(({ actor, target, after }) => ({ actor, target, after }))).deep.equal([
        { actor: 'issuer login.test', target: 'alice', after: { reason: 'used' } },
      ])
    })

    it('last 15 minutes if the issuer cannot be asked again', async () => {
      const opened = (await sessions().start('alice', 'once', { renewal: undefined }))!
      expect(opened.seconds).equal(900)
      expect(await sessions(DUE - 1000).userOf(opened.secret)).equal('alice')
      expect(await sessions(DUE).userOf(opened.secret)).equal(undefined)
      expect((await sessions().start('alice', 'other', { renewal: 'sealed' }))!.seconds).equal(12 * 3600)
    })
  })
})
