import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CommandError, UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/credits.ts'
import { withStore } from '../../../lib/cli/store.ts'
import { readConfig } from '../../../lib/config/read.ts'
import { creditBalance } from '../../../lib/store/credits.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

describe('sluiceway credits', () => {
  const directory = temporaryDirectory()
  let file = ''
  beforeEach(() => {
    file = join(directory(), 'a.yaml')
    writeFileSync(
      file,
      `store: sqlite:a.db
currency: EUR
accounts:
  - { id: ${ACCOUNT_ID}, name: globex, credits_cents: 500 }
  - { id: 0c6c1a3e-2f7a-4d6e-9d3f-3a4b5c6d7e8f, name: initech }
${MODEL}`,
    )
  })

  it('shows the balance, and adds to it or takes away', async () => {
    const credits = async (...argv: string[]): Promise<string> => {
      const { code, out, err } = await runCli(['credits', argv[0]!, '--config', file, ...argv.slice(1)])
      expect({ code, err }).deep.equal({ code: 0, err: '' })
      return out
    }
    expect(await credits('show', 'globex')).equal('globex: 500 cents (5.00 EUR)\n')
    expect(await credits('add', 'globex', '250')).equal('globex: 750 cents (7.50 EUR)\n')
    const below = await runCli(['credits', 'add', '--config', file, ACCOUNT_ID, '--', '-1000'])
    expect(below.code).equal(1)
    expect(below.err).match(/the balance of globex would be -250 cents \(-2\.50 EUR\): add --yes if that is meant/)
    expect(await credits('add', '--yes', '--note', 'refund of May', ACCOUNT_ID, '--', '-1000')).equal(
      'globex: -250 cents (-2.50 EUR)\n',
    )
    const notes = await withStore(readConfig(file, {}), ({ db }) =>
      db.selectFrom('credits_ledger').select(['amount_microcents', 'note']).orderBy('amount_microcents').execute(),
    )
    expect(notes).deep.equal([
      { amount_microcents: -1_000_000_000, note: 'refund of May' },
      { amount_microcents: 250_000_000, note: null },
    ])
    const booked = await withStore(readConfig(file, {}), store => creditBalance(store, ACCOUNT_ID))
    expect(booked).equal(-750_000_000)
  })

  const fails = async (argv: readonly string[]): Promise<Error> => {
    const error = await run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    expect(error).instanceOf(Error)
    return error
  }

  it('explains why it fails', async () => {
    const unknown = await fails(['show', '--config', 'FILE', 'globx'])
    expect(unknown).instanceOf(CommandError)
    expect(unknown.message).equal("there is no account 'globx': did you mean 'globex'?")
    const postpaid = await fails(['add', '--config', 'FILE', 'initech', '1'])
    expect(postpaid.message).equal('account initech is not prepaid: set its credits_cents first, 0 is enough')
  })

  it('refuses wrong usage', async () => {
    const mistakes: readonly (readonly [string[], string])[] = [
      [[], 'an action is needed: add or show'],
      [['spend'], "there is no action 'spend': use add or show"],
      [['show', 'globex'], '--config FILE is needed'],
      [['show', '--config', 'FILE'], 'ACCOUNT is needed'],
      [['add', '--config', 'FILE', 'globex'], 'CENTS is needed'],
      ...['0', '1.5', 'x', '1e3', '1234567890']
        .map(
          cents =>
            [
              ['add', '--config', 'FILE', 'globex', cents],
              'CENTS must be a whole number of cents, not 0 and at most 999999999',
            ] as const,
        )
        .map(([argv, message]): [string[], string] => [[...argv], message]),
    ]
    for (const [argv, message] of mistakes) {
      const error = await fails(argv)
      expect(error, argv.join(' ')).instanceOf(UsageError)
      expect(error.message).equal(message)
    }
  })
})
