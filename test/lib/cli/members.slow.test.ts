import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CommandError, UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/members.ts'
import { withStore } from '../../../lib/cli/store.ts'
import { readConfig } from '../../../lib/config/read.ts'
import { listMembers } from '../../../lib/store/accounts.ts'
import { createLink, storeSessions } from '../../../lib/store/console-sessions.ts'
import { applyGroups } from '../../../lib/store/group-members.ts'
import { loadKeys } from '../../../lib/store/keys.ts'
import type { Store } from '../../../lib/store/store.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { clockAt } from '../../support/clock.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

const NOW = Date.UTC(2026, 10, 21) * 1000

describe('sluiceway members', () => {
  const directory = temporaryDirectory()
  let file = ''
  beforeEach(() => {
    file = join(directory(), 'a.yaml')
    writeFileSync(
      file,
      `store: sqlite:a.db
accounts:
  - id: ${ACCOUNT_ID}
    name: globex
    members: [{ user: ann, role: owner }]
  - id: 0c6c1a3e-2f7a-4d6e-9d3f-3a4b5c6d7e8f
    name: initech
    keys: [{ id: k1, user: dan, kind: serverless, sha256: ${'a'.repeat(64)} }]
${MODEL}`,
    )
  })

  const cli = async (...argv: string[]): Promise<string> => {
    const { code, out, err } = await runCli(argv)
    expect(code, err).equal(0)
    return out
  }
  const sessions = (store: Store) => storeSessions(query => query(store), clockAt(NOW))
  const inStore = <T>(work: (store: Store) => Promise<T>): Promise<T> => withStore(readConfig(file, {}), work)

  it('lists members of the file and of the store, and removes the latter with their keys and sessions', async () => {
    for (const user of ['bob', 'carol'])
      await cli('keys', 'create', '-c', file, '--account', 'globex', '--user', user, '--role', 'member')
    const secret = await inStore(async store => {
      const opened = await sessions(store).open(await createLink(store, 'bob', NOW))
      return opened!.secret
    })

    const wanted = [{ account: ACCOUNT_ID, role: 'admin', group: 'devs' } as const]
    const actor = { name: 'issuer login.test', address: null }
    await inStore(store => applyGroups(store, { user: 'eve', wanted, inFile: new Set(), actor, now: NOW }))

    const said = await cli('members', 'remove', '--config', file, 'globex', 'bob')
    expect(said).equal("'bob' is no longer a member of globex. The user's keys of it are revoked.\n")

    expect((await cli('members', 'list', '-c', file, 'globex')).split('\n')).deep.equal([
      `USER   ACCOUNT  ROLE    STATE`,
      `ann    globex   owner   in ${file}`,
      'bob    globex   member  removed',
      'carol  globex   member  member',
      'eve    globex   admin   by group devs',
      '',
    ])
    expect(await cli('members', 'list', '-c', file)).contain('carol')
    await inStore(async store => {
      expect((await loadKeys(store)).map(({ user }) => user)).deep.equal(['carol'])
      expect(await sessions(store).userOf(secret)).equal(undefined)
      // Usage reports need the former member.
      expect(await listMembers(store, ACCOUNT_ID)).deep.include({ user: 'bob', role: 'member', removed: true })
    })
  })

  const fails = async (argv: readonly string[]): Promise<Error> => {
    const error = await run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    expect(error).instanceOf(Error)
    return error
  }

  it('explains why a user cannot be removed', async () => {
    const mistakes: readonly (readonly [account: string, user: string, message: string])[] = [
      ['globx', 'ann', "there is no account 'globx': did you mean 'globex'?"],
      ['globex', 'ann', `'ann' is a member of globex in ${file}: remove the member and the user's keys there`],
      ['initech', 'dan', `key 'k1' in ${file} belongs to 'dan': remove it there first`],
      ['globex', 'ana', "'ana' is not a member of globex: did you mean 'ann'?"],
    ]
    for (const [account, user, message] of mistakes) {
      const error = await fails(['remove', '--config', 'FILE', account, user])
      expect(error).instanceOf(CommandError)
      expect(error.message).equal(message)
    }
  })

  it('refuses wrong usage', async () => {
    const mistakes: readonly (readonly [argv: string[], message: string])[] = [
      [[], 'an action is needed: list or remove'],
      [['add'], "there is no action 'add': use list or remove"],
      [['list'], '--config FILE is needed'],
      [['list', '--config', 'FILE', 'globex', 'bob'], "unexpected argument 'bob'"],
      [['remove', '--config', 'FILE'], 'ACCOUNT is needed'],
      [['remove', '--config', 'FILE', 'globex'], 'USER is needed'],
    ]
    for (const [argv, message] of mistakes) {
      const error = await fails(argv)
      expect(error, message).instanceOf(UsageError)
      expect(error.message).equal(message)
    }
  })
})
