import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { changeAccount, createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits } from '../../../lib/admin/credits.ts'
import { eraseAccount } from '../../../lib/admin/erase.ts'
import { createKeyOf } from '../../../lib/admin/keys.ts'
import { ownerOf } from '../../../lib/files/owner.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('erasing a customer', () => {
  const { context, audit } = useAdminContext()
  let dir = ''
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  after(() => rmSync(dir, { recursive: true }))
  const withFiles = () => {
    const own = context()
    return { ...own, config: { ...own.config, files: { ...own.config.files, path: dir } } }
  }

  it('removes its files and names, and is audited once, without them', async () => {
    const members = [{ user: 'alice', role: 'owner' }] as const
    const { id } = await createAccount(context(), { name: 'globex', credits_cents: 5, members })
    const folders = [ownerOf(id, 'alice'), ownerOf(ACCOUNT_ID, 'alice')].map(owner => join(dir, owner, 'file-1'))
    for (const folder of [...folders, join(dir, 'incoming')]) await mkdir(folder, { recursive: true })
    for (const folder of folders) await writeFile(join(folder, 'content'), 'secret')
    const erased = await eraseAccount(withFiles(), id.toUpperCase(), 0)
    expect(erased).deep.include({ id, name: id, disabled: true, members: [], source: 'store' })
    expect(Date.parse(String(erased.erased_at))).finite
    expect(folders.map(folder => existsSync(folder))).deep.equal([false, true])
    expect(await eraseAccount(withFiles(), id, 0)).deep.equal(erased)
    expect(await audit()).deep.equal(['account.erase', 'account.create'])
    const { entries } = await listAudit(context().store, { action: 'account.erase' }, undefined, 9)
    expect(entries[0]).deep.include({ target: id, account_id: id, before: null })
    expect(JSON.stringify(entries)).not.contain('globex')
  })

  it('is refused for an account of the file, and for an unknown one', async () => {
    expect(await refusal(eraseAccount(withFiles(), ACCOUNT_ID, 0))).match(
      /^400 http_400 .*accounts\[0\] of the configuration file: remove it there first/,
    )
    const unknown = '00000000-0000-4000-8000-000000000009'
    expect(await refusal(eraseAccount(withFiles(), unknown, 0))).match(/^404 http_404/)
  })

  it('is final: nothing is added to the account', async () => {
    const { id } = await createAccount(context(), { name: 'globex', credits_cents: 5 })
    await eraseAccount(withFiles(), id, 0)
    for (const work of [
      changeAccount(context(), id, { disabled: false }),
      createKeyOf(context(), id, {}),
      addCredits(context(), id, { amount_cents: 5 }),
    ])
      expect(await refusal(work)).match(/^400 http_400 .*The account is erased/)
    // The name is free again.
    expect((await createAccount(context(), { name: 'globex' })).id).not.equal(id)
  })
})
