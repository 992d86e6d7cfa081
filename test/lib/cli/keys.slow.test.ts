import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { knownAccounts } from '../../../lib/admin/accounts.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { CommandError, UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/keys.ts'
import { withStore } from '../../../lib/cli/store.ts'
import { readConfig } from '../../../lib/config/read.ts'
import { listMembers } from '../../../lib/store/accounts.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { withAccounts } from '../../../lib/store/key-watch.ts'
import { changeKey, loadKeys } from '../../../lib/store/keys.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

const CONFIG = `store: sqlite:a.db
brand: acme
endpoints: [{ host: e.test, models: [m] }]
plans: { free: {} }
accounts:
  - id: ${ACCOUNT_ID}
    name: globex
    members: [{ user: alice }]
    keys: [{ id: k1, secret: acme_in_the_file }]
${MODEL}`

describe('sluiceway keys', () => {
  const directory = temporaryDirectory()
  let file = ''
  beforeEach(() => {
    file = join(directory(), 'a.yaml')
    writeFileSync(file, CONFIG)
  })

  const create = (...argv: string[]) => runCli(['keys', 'create', '--config', file, ...argv])
  const config = () => readConfig(file, {})

  /** Valid keys of the store by the digest of their secret. */
  const ring = () =>
    withStore(
      config(),
      async store => new Map(withAccounts(await loadKeys(store), await knownAccounts(config(), store))),
    )

  it('creates a key: the secret on stdout, and nowhere else', async () => {
    const { code, out, err } = await create('--account', 'globex', '--user', 'alice', '--endpoint', 'E.test')
    expect(code).equal(0)
    expect(out).match(/^acme_[A-Za-z0-9_-]{43}\n$/)
    const secret = out.trim()
    expect(err).match(/^Key key_[0-9a-f]{12} of account globex \(6f2c1e9a-.*\)\. Its secret is not shown again\.\n$/)
    expect(err).not.contain(secret)
    // Readable by its owner alone, whichever process creates the file.
    expect(statSync(join(directory(), 'a.db')).mode & 0o777).equal(0o600)
    expect(readFileSync(join(directory(), 'a.db')).includes(secret)).equal(false)
    const key = (await ring()).get(sha256(secret))
    expect(key).deep.include({ kind: 'serverless', user: 'alice', endpoints: ['e.test'] })
    expect(key?.account.id).equal(ACCOUNT_ID)
  })

  it('lists keys of file and store, without secrets, and revokes those of the store', async () => {
    const { out: secret, err } = await create('--account', ACCOUNT_ID)
    const id = /key_\w+/.exec(err)![0]
    const today = new Date().toISOString().slice(0, 10)
    const before = await runCli(['keys', 'list', '--config', file])
    expect(before.code).equal(0)
    expect(before.out.split('\n').map(line => line.split(/ {2,}/))).deep.equal([
      ['KEY', 'ACCOUNT', 'USER', 'KIND', 'ENDPOINTS', 'CREATED', 'STATE'],
      ['k1', 'globex', '-', 'serverless', '-', '-', `in ${file}`],
      [id, 'globex', '-', 'serverless', '-', today, 'valid'],
      [''],
    ])
    expect(before.out).not.contain(secret.trim())

    const revoked = await runCli(['keys', 'revoke', '--config', file, id])
    expect(revoked).deep.equal({ code: 0, out: `Key ${id} is revoked.\n`, err: '' })
    expect((await ring()).size).equal(0)
    const after = await runCli(['keys', 'list', '--config', file, '--account', 'globex'])
    expect(after.out).match(new RegExp(`^${id} .* revoked ${today}$`, 'm'))
    const again = await runCli(['keys', 'revoke', '--config', file, id])
    expect(again).deep.equal({ code: 1, out: '', err: `sluiceway keys: there is no valid key '${id}' in the store\n` })
  })

  it('lists who has disabled a key', async () => {
    const { err } = await create('--account', ACCOUNT_ID)
    const id = /key_\w+/.exec(err)![0]
    for (const [more, state] of [
      [{}, 'disabled by an operator'],
      [{ disabled_by: 'user' }, 'disabled by its user'],
    ] as const) {
      await withStore(config(), store => changeKey(store, id, { disabled: true, ...more }))
      const { out } = await runCli(['keys', 'list', '--config', file])
      expect(out).match(new RegExp(`^${id} .* ${state}$`, 'm'))
    }
  })

  it('creates the account and the member that it needs', async () => {
    const { code, out } = await create(
      ...['--new-account', 'initech', '--account-kind', 'enterprise', '--plan', 'free', '--credits', '500'],
      ...['--user', 'bob'],
    )
    expect(code).equal(0)
    const key = (await ring()).get(sha256(out.trim()))
    expect(key).deep.include({ kind: 'pass', user: 'bob' })
    expect(key?.account).deep.include({ name: 'initech', kind: 'enterprise', creditsCents: 500 })
    const members = await withStore(config(), store => listMembers(store, key!.account.id))
    expect(members).deep.equal([{ user: 'bob', role: 'owner', removed: false }])
  })

  const fails = async (argv: readonly string[]): Promise<Error> => {
    const error = await run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    expect(error).instanceOf(Error)
    return error
  }

  it('explains why it fails', async () => {
    const mistakes: readonly (readonly [string, string])[] = [
      ['create --config FILE --account globx', "there is no account 'globx': did you mean 'globex'?"],
      [
        'create --config FILE --account globex --user alise',
        "'alise' is not a member of globex: did you mean 'alice'?",
      ],
      [
        'create --config FILE --account globex --user zoe',
        "'zoe' is not a member of globex: add --role ROLE to make this user one",
      ],
      [
        'create --config FILE --account globex --endpoint f.test',
        "there is no endpoint 'f.test': did you mean 'e.test'?",
      ],
      [
        'create --config FILE --new-account globex',
        "there is already an account 'globex': use --account 'globex' to create a key of it",
      ],
      ['create --config FILE --new-account a --plan fre', "there is no plan 'fre': did you mean 'free'?"],
      ['revoke --config FILE key_nope', "there is no valid key 'key_nope' in the store"],
    ]
    for (const [line, message] of mistakes) {
      const error = await fails(line.split(' '))
      expect(error, line).instanceOf(CommandError)
      expect(error.message).equal(message)
    }
    expect((await fails(['revoke', '--config', 'FILE', 'k1'])).message).match(
      /^key 'k1' is in .*a\.yaml: remove it there/,
    )
  })

  it('creates no account when the key is refused', async () => {
    const { code } = await create('--new-account', 'initech', '--account-kind', 'dedicated')
    expect(code).equal(2)
    const accounts = await withStore(config(), store => knownAccounts(config(), store))
    expect(accounts.map(({ name }) => name)).deep.equal(['globex'])
  })

  it('creates, lists and revokes keys of operators', async () => {
    const { code, out, err } = await create('--operator', 'alice')
    expect(code).equal(0)
    expect(out).match(/^acme_operator_[\w-]{43}\n$/)
    const id = /op_[0-9a-f]{12}/.exec(err)![0]
    const listed = await runCli(['keys', 'list', '--config', file])
    expect(listed.out).match(new RegExp(`^${id} +- +alice +operator .* valid$`, 'm'))
    expect((await runCli(['keys', 'revoke', '--config', file, id])).code).equal(0)
    expect((await fails(['revoke', '--config', 'FILE', id])).message).contain('there is no valid key')
    expect((await create('--operator', 'alice', '--user', 'bob')).err).contain('--user is for keys of accounts')
    const entries = await withStore(config(), async store => (await listAudit(store, {}, undefined, 10)).entries)
    expect(entries.map(({ action }) => action)).deep.equal(['operator_key.revoke', 'operator_key.create'])
    expect(JSON.stringify(entries)).not.contain(out.trim())
  })

  it('creates a member of an account in the file', async () => {
    expect((await create('--account', 'globex', '--user', 'carol', '--role', 'admin')).code).equal(0)
    expect((await create('--account', 'globex', '--user', 'carol')).code).equal(0)
  })

  it('refuses wrong usage', async () => {
    const mistakes: readonly (readonly [string, string])[] = [
      ['', 'an action is needed: create, list or revoke'],
      ['remove', "there is no action 'remove': use create, list or revoke"],
      ['create', '--config FILE is needed'],
      ['create --config FILE', 'one of --account and --new-account is needed'],
      ['create --config FILE --account a --new-account b', 'one of --account and --new-account is needed'],
      ['create --config FILE --account globex --role admin', '--role needs --user USER'],
      [
        'create --config FILE --account globex --plan free',
        '--plan needs --new-account: it cannot change an existing account',
      ],
      ['create --config FILE --account globex --kind secret', '--kind must be one of serverless, pass, dedicated'],
      ['create --config FILE --account globex --kind dedicated', 'a key of kind dedicated needs --endpoint HOST'],
      ['create --config FILE --account globex --user a --role boss', '--role must be one of owner, admin, member'],
      ['create --config FILE --new-account a --credits 1.5', '--credits must be a whole number of cents'],
      ['revoke --config FILE', 'KEY_ID is needed'],
    ]
    for (const [line, message] of mistakes) {
      const error = await fails(line === '' ? [] : line.split(' '))
      expect(error, line).instanceOf(UsageError)
      expect(error.message).equal(message)
    }
  })
})
