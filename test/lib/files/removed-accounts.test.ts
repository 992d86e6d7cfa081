import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { eraseAccount } from '../../../lib/admin/erase.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import type { Config } from '../../../lib/config/config.ts'
import { ownerOf } from '../../../lib/files/owner.ts'
import { watchRemovedAccounts } from '../../../lib/files/removed-accounts.ts'
import { FileStore } from '../../../lib/files/store.ts'
import { loadAccounts } from '../../../lib/store/accounts.ts'
import { useAdminContext } from '../../support/admin-context.ts'
import { pieces } from '../../support/files.ts'
import { eventually } from '../../support/gateway.ts'
import { silent } from '../../support/stores.ts'

describe('files/removed-accounts', () => {
  const { context } = useAdminContext()
  let path = ''
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  afterEach(() => rmSync(path, { recursive: true }))

  const owners = async () => (await readdir(path)).filter(name => name !== 'incoming').toSorted()
  const create = async (account: string) => {
    const owner = ownerOf(account, 'alice')
    const config = { ...context().config.files, path }
    const file = { filename: 'a', purpose: 'batch_output', account }
    await new FileStore(config, systemClock).createFrom(owner, file, pieces('{}'))
    return owner
  }
  const watched = async (more: Partial<Config>, work: (changed: (next: Partial<Config>) => void) => Promise<void>) => {
    const { store, config } = context()
    let current = { ...config, files: { ...config.files, path }, ...more }
    const watch = watchRemovedAccounts({
      stored: () => loadAccounts(store),
      config: () => current,
      log: silent,
      everyMs: 5,
    })
    const changed = (next: Partial<Config>) => {
      current = { ...current, ...next }
      watch.changed()
    }
    await work(changed).finally(() => watch.end())
  }
  const BATCHES = { batches: {} as NonNullable<Config['batches']> }

  it('removes what accounts have that neither the configuration nor the store has, also after a reload', async () => {
    const { accounts } = context().config
    const stored = await createAccount(context(), { name: 'globex' })
    const gone = await createAccount(context(), { name: 'gone' })
    await eraseAccount(
      { ...context(), config: { ...context().config, files: { ...context().config.files, path } } },
      gone.id,
      0,
    )
    const mine = await create(accounts[0]!.id)
    const theirs = await create(String(stored.id))
    await create(String(gone.id))
    await create('00000000-0000-4000-8000-000000000009')
    await watched(BATCHES, async changed => {
      await eventually(async () => (await owners()).length === 2)
      expect(await owners()).deep.equal([mine, theirs].toSorted())
      changed({ accounts: [] })
      await eventually(async () => (await owners()).length === 1)
      expect(await owners()).deep.equal([theirs])
    })
  })

  it('removes nothing without batches', async () => {
    const owner = await create('00000000-0000-4000-8000-000000000009')
    await watched({}, () => new Promise(resolve => setTimeout(resolve, 50)))
    expect(await owners()).deep.equal([owner])
  })

  it('removes nothing while the accounts of the store are unknown', async () => {
    const owner = await create('00000000-0000-4000-8000-000000000009')
    const stored = () => Promise.reject(new Error('no store'))
    const config = { ...context().config, ...BATCHES, files: { ...context().config.files, path } }
    const watch = watchRemovedAccounts({ stored, config: () => config, log: silent, everyMs: 5 })
    await new Promise(resolve => setTimeout(resolve, 50))
    await watch.end()
    expect(await owners()).deep.equal([owner])
  })
})
