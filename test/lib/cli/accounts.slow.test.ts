import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { run } from '../../../lib/cli/accounts.ts'
import { UsageError } from '../../../lib/cli/command.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

describe('sluiceway accounts', () => {
  const directory = temporaryDirectory()
  let file = ''
  beforeEach(() => {
    file = join(directory(), 'a.yaml')
    writeFileSync(
      file,
      `store: sqlite:a.db
plans: { free: { tier: free }, pro: { tier: pro } }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, plan: free }]
${MODEL}`,
    )
  })

  async function ok(command: string, ...argv: string[]): Promise<string> {
    const { code, out, err } = await runCli([command, argv[0]!, '--config', file, ...argv.slice(1)])
    expect({ code, err: code === 0 ? '' : err }).deep.equal({ code: 0, err: '' })
    return out
  }

  it('changes the plan of an account in the store', async () => {
    await ok('keys', 'create', '--new-account', 'globex', '--plan', 'free')
    expect(await ok('accounts', 'set', 'globex', '--plan', 'pro')).equal('globex has the plan pro.\n')
    expect(await ok('accounts', 'list'))
      .match(/globex +serverless +pro +in the store/)
      .and.match(/acme +serverless +free +in /)
    expect(await ok('accounts', 'set', 'globex', '--no-plan')).equal('globex has no plan any more.\n')
    expect(await ok('accounts', 'list')).match(/globex +serverless +- +in the store/)
  })

  it('erases an account, also one that was in the file and has only records', async () => {
    await ok('keys', 'create', '--new-account', 'globex', '--plan', 'free')
    expect(await ok('accounts', 'erase', 'globex')).equal('globex is erased.\n')
    expect(await ok('accounts', 'list'))
      .match(/erased\n/)
      .and.not.contain('globex')
    const { code, err } = await runCli(['accounts', 'erase', '--config', file, 'acme'])
    expect({ code, err }).deep.include({ code: 1 })
    expect(err).contain('remove it there first')
  })

  it('explains why it fails', async () => {
    const fails = (...argv: string[]) => run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    expect((await fails('set', '--config', 'FILE', 'acme', '--plan', 'pro')).message).match(
      /account acme is in .*a\.yaml/,
    )
    expect((await fails('set', '--config', 'FILE', 'acme', '--plan', 'prp')).message).match(/did you mean 'pro'/)
    expect(await fails('set', '--config', 'FILE', 'acme')).instanceOf(UsageError)
    const both = await fails('set', '--config', 'FILE', 'acme', '--plan', 'pro', '--no-plan')
    expect(both).instanceOf(UsageError)
    expect(both.message).equal('--plan and --no-plan exclude each other')
    expect(await fails('drop')).instanceOf(UsageError)
  })
})
