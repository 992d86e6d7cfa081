import { expect } from 'chai'
import { CommandError } from '../../../lib/cli/command.ts'
import { contextOf, filteredAccount, findAccount, withStore } from '../../../lib/cli/store.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'

const STORED_ID = '0c6c1a3e-2f7a-4d6e-9d3f-3a4b5c6d7e8f'
const stored = {
  id: STORED_ID,
  kind: 'enterprise',
  plan: undefined,
  zdr_required: false,
  models: ['*'],
  credits_cents: 7,
} as const

describe('the store of a command', () => {
  const directory = temporaryDirectory()
  const config = () =>
    configOf(
      `${MODEL}accounts: [{ id: ${ACCOUNT_ID}, name: acme, members: [{ user: alice }] }]\nstore: sqlite:a.db`,
      {},
      directory(),
    )

  it('is changed in the name of who runs the command', async () => {
    await withStore(config(), async store => {
      const { actor, now } = contextOf(config(), store)
      expect(actor.name).match(/^command line \(.+\)$/)
      expect(actor.address).equal(null)
      expect(now).greaterThan(1e15)
    })
  })

  it('is refused where the gateway keeps it in memory: what a command writes there would be lost', async () => {
    const inMemory = configOf(`${MODEL}store: 'sqlite::memory:'`)
    const refused = await withStore(inMemory, async () => 'reached').catch(error => error)
    expect(refused).instanceOf(CommandError)
    expect(refused.message).contain('is in memory')
  })

  it('finds an account by id, whatever its case, and by name', async () => {
    await withStore(config(), async store => {
      expect((await findAccount(config(), store, ACCOUNT_ID.toUpperCase())).name).equal('acme')
      expect((await findAccount(config(), store, 'acme')).id).equal(ACCOUNT_ID)
    })
  })

  it('filters by an account, or by that of the gateway itself', async () => {
    await withStore(config(), async store => {
      expect(await filteredAccount(config(), store, 'acme')).equal(ACCOUNT_ID)
      expect(await filteredAccount(config(), store, 'operator')).equal('operator')
      expect(await filteredAccount(config(), store, undefined)).equal(undefined)
      expect(await filteredAccount(config(), store, 'acne').catch(error => error)).instanceOf(CommandError)
    })
  })

  it('explains an account that is not there, or not the only one of its name', async () => {
    await withStore(config(), async store => {
      await saveAccount(store, { ...stored, name: 'acme' }, 1)
      const missing = await findAccount(config(), store, 'acne').catch(error => error)
      expect(missing).instanceOf(CommandError)
      expect(missing.message).equal("there is no account 'acne': did you mean 'acme'?")
      const other = await findAccount(config(), store, 'Nope').catch(error => error)
      expect(other.message).equal("there is no account 'Nope': there are 'acme', 'acme'")
      for (let i = 0; i < 9; i++) await saveAccount(store, { ...stored, id: crypto.randomUUID(), name: `a${i}` }, 1)
      const many = await findAccount(config(), store, 'Nope').catch(error => error)
      expect(many.message).match(/: there are ('\w+', ){9}'\w+' and 1 more$/)
      const ambiguous = await findAccount(config(), store, 'acme').catch(error => error)
      expect(ambiguous.message).equal(`several accounts are named 'acme': use the id, ${ACCOUNT_ID} or ${STORED_ID}`)
    })
  })

  it('explains a store that cannot be reached', async () => {
    const error = await withStore(
      configOf(`${MODEL}store: postgres://user:s3cret@127.0.0.1:1/none`),
      async () => {},
    ).catch(thrown => thrown)
    expect(error).instanceOf(CommandError)
    expect(error.message)
      .match(/^the store cannot be used: /)
      .and.not.contain('s3cret')
  })
})
