import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import { CommandError, UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/login.ts'
import { withStore } from '../../../lib/cli/store.ts'
import { readConfig } from '../../../lib/config/read.ts'
import { saveMember } from '../../../lib/store/accounts.ts'
import { storeSessions } from '../../../lib/store/console-sessions.ts'
import { createOperatorKey } from '../../../lib/store/operator-keys.ts'
import { openByLink, operatorOfSession } from '../../../lib/store/operator-sessions.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

describe('sluiceway login', () => {
  const directory = temporaryDirectory()
  let file = ''
  const write = (more = '') =>
    writeFileSync(
      file,
      `store: sqlite:a.db
listen: { host: 0.0.0.0, port: 8123 }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, members: [{ user: alice@acme.test, role: owner }] }]
${more}${MODEL}`,
    )
  beforeEach(() => {
    file = join(directory(), 'a.yaml')
    write()
  })

  const login = async (...argv: readonly string[]): Promise<URL> => {
    const { code, out, err } = await runCli(['login', '--config', file, ...argv])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    return new URL(out.trim())
  }

  it('prints a link that opens a session once', async () => {
    const link = await login('alice@acme.test')
    expect(link.origin + link.pathname).equal('http://127.0.0.1:8123/console/login')
    const token = link.searchParams.get('token')!
    const open = () =>
      withStore(readConfig(file, {}), store => storeSessions(query => query(store), systemClock).open(token))
    expect(await open()).include({ user: 'alice@acme.test' })
    expect(await open()).equal(undefined)
  })

  it('leads to where browsers reach the gateway', async () => {
    expect((await login('--url', 'https://pass.test/', 'alice@acme.test')).href).match(
      /^https:\/\/pass\.test\/console\/login\?token=/,
    )
    write('hosts: { gateway: [pass.example.com], api: [api.example.com] }\n')
    expect((await login('alice@acme.test')).origin).equal('http://pass.example.com:8123')
  })

  it('is for members of the store as well', async () => {
    await withStore(readConfig(file, {}), store => saveMember(store, ACCOUNT_ID, 'carol', 'member', 1))
    expect((await login('carol')).searchParams.get('token')).length.above(40)
  })

  it('leads operators with a key to their pages', async () => {
    write('admin: { host: 0.0.0.0, port: 9123, api: true }\n')
    const { id } = await withStore(readConfig(file, {}), store => createOperatorKey(store, 'service', 'alice', 1))
    const link = await login('--operator', 'alice')
    expect(link.href).match(/^http:\/\/127\.0\.0\.1:9123\/sign-in\?token=[\w-]{43}$/)
    const name = await withStore(readConfig(file, {}), async store => {
      const now = Date.now() * 1000
      const secret = await openByLink(store, link.searchParams.get('token')!, now)
      return operatorOfSession(store, secret!, now)
    })
    expect(name).deep.equal({ id, name: 'alice' })
    const message = (...argv: string[]) => run(['--config', file, ...argv]).catch((thrown: Error) => thrown.message)
    expect(await message('--operator', 'alce')).equal("there is no operator 'alce': did you mean 'alice'?")
    expect(await message('--operator', 'x')).match(/keys create --operator NAME` creates one$/)
    write()
    expect(await message('--operator', 'alice')).match(/set `admin: \{ api: true \}`$/)
  })

  it('explains why it fails', async () => {
    const fails = async (...argv: readonly string[]) => run(argv).catch((thrown: unknown) => thrown as Error)
    const unknown = await fails('--config', file, 'alic@acme.test')
    expect(unknown).instanceOf(CommandError)
    expect((unknown as Error).message).equal(
      "'alic@acme.test' is not a member of any account: did you mean 'alice@acme.test'?",
    )
    for (const argv of [
      ['--config', file],
      ['alice@acme.test'],
      ['--config', file, '--operator', 'alice', 'alice@acme.test'],
      ['--config', file, '--url', 'nowhere', 'alice@acme.test'],
      ['--config', file, '--url', 'ftp://gateway.test', 'alice@acme.test'],
    ]) {
      expect(await fails(...argv), argv.join(' ')).instanceOf(UsageError)
    }
  })
})
