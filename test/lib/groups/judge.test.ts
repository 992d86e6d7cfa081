import { expect } from 'chai'
import { pino } from 'pino'
import { type JudgeParts, judge, judgingSignIn } from '../../../lib/groups/judge.ts'
import type { ConsoleSignIn } from '../../../lib/oidc/audiences.ts'
import { SignInFailure } from '../../../lib/oidc/failure.ts'
import { listMembers, saveMember } from '../../../lib/store/accounts.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const MISSING = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const accounts = `accounts: [{ id: ${ACCOUNT_ID}, name: acme, members: [{ user: bob }] }]`
const configWith = (oidc: string) =>
  configOf(`console: { oidc: { issuer: 'https://issuer.test', client_id: x${oidc} } }${MODEL}\n${accounts}`)
const mapped = configWith(`, accounts: { map: { devs: { account: ${ACCOUNT_ID} }, gone: { account: ${MISSING} } } }`)

describe('judging people by their groups', () => {
  onEveryStore(store => {
    const lines: string[] = []
    let changes = 0
    beforeEach(() => {
      lines.length = 0
      changes = 0
    })
    const partsOf = (config: JudgeParts['config']): JudgeParts => ({
      run: queryRunner(store()),
      config,
      clock: new ManualClock(),
      log: pino({ level: 'warn' }, { write: line => void lines.push(line) }),
      changed: async () => void changes++,
    })
    const signInAs = (names: readonly string[], groups?: readonly string[]): ConsoleSignIn => ({
      host: 'issuer.test',
      label: '',
      begin: () => Promise.reject(new Error('not used')),
      renew: () => Promise.reject(new Error('not used')),
      finish: async () => ({
        names,
        once: 'once',
        ...(groups !== undefined && { judged: { groups, renewal: 'sealed' } }),
        stranger: () => new SignInFailure('unknown', 'issuer.test'),
        again: () => new SignInFailure('used', 'issuer.test'),
      }),
    })
    const users = async () => (await listMembers(store(), ACCOUNT_ID)).filter(one => !one.removed).map(one => one.user)

    it('makes members at a sign-in, under one name whatever the case of the address', async () => {
      const signIn = (names: readonly string[]) => judgingSignIn(signInAs(names, ['devs']), partsOf(mapped))!
      const person = await signIn(['Alice@test', 'alice@test']).finish('', undefined)
      expect(person.names[0]).equal('alice@test')
      await signIn(['ALICE@test', 'alice@test']).finish('', undefined)
      expect(await users()).deep.equal(['alice@test'])
      expect(changes).equal(2)
    })

    it('keeps the name under which a person is a member already', async () => {
      await saveMember(store(), ACCOUNT_ID, 'Carol@test', 'admin', 1)
      const signIn = judgingSignIn(signInAs(['Carol@test', 'carol@test'], ['devs']), partsOf(mapped))!
      expect((await signIn.finish('', undefined)).names[0]).equal('Carol@test')
      expect(await users()).deep.equal(['Carol@test'])
    })

    it('skips accounts that do not exist, and members of the file', async () => {
      await judge(partsOf(mapped), 'issuer.test', 'dave', ['gone'])
      expect(await listMembers(store(), MISSING)).deep.equal([])
      expect(lines.join()).contain(MISSING).and.contain('does not exist')
      await judge(partsOf(mapped), 'issuer.test', 'bob', ['devs'])
      expect(await users()).deep.equal([])
    })

    it('is off without a map', async () => {
      const off = configWith('')
      const signIn = signInAs(['alice'])
      expect(judgingSignIn(signIn, partsOf(off))).equal(signIn)
      expect(judgingSignIn(null, partsOf(mapped))).equal(null)
      await judge(partsOf(off), 'issuer.test', 'alice', ['devs'])
      expect(await users()).deep.equal([])
    })
  })
})
