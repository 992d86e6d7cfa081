import { expect } from 'chai'
import { keyOfBatch, keyRights, newBatchId, ownersOf, toBatch } from '../../../lib/batches/stored.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { changeKey, createKey, revokeKey } from '../../../lib/store/keys.ts'
import { keyOf } from '../../support/key.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('batches as rows', () => {
  it('have ids that sort by time', () => {
    const [first, second] = [newBatchId('openai', 1), newBatchId('openai', 2)]
    expect(first).match(/^batch_[0-9a-f]{24}$/)
    expect(first < second).equal(true)
    expect(newBatchId('anthropic', 1)).match(/^msgbatch_[0-9a-f]{24}$/)
  })

  it('keep what the key permitted', () => {
    const key = keyOf({}, { id: 'k9', user: 'bob', models: new Set(['m']), expiresAt: 5 })
    const row = { key_id: 'k9', user_id: 'bob', key_rights: keyRights(key) }
    const rebuilt = keyOfBatch(row, key.account)
    expect(rebuilt).deep.include({ id: 'k9', user: 'bob', models: new Set(['m']), disabled: false })
    expect(rebuilt.expiresAt).equal(Number.POSITIVE_INFINITY)
    expect(keyOfBatch({ ...row, key_rights: keyRights(keyOf()) }, key.account).models).equal(null)
  })

  it('have the present limits of the key, or those it had', () => {
    const limits = { budget_cents: { amount: 1, window: '1d' } }
    const raised = { budget_cents: { amount: 2, window: '1d' } }
    const { account, ...key } = keyOf({}, { id: 'k9', limits })
    const row = { key_id: 'k9', user_id: 'bob', key_rights: keyRights({ account, ...key }) }
    expect(keyOfBatch(row, account).limits).deep.equal(limits)
    expect(keyOfBatch(row, account, new Map([['k9', raised]])).limits).equal(raised)
    expect(keyOfBatch(row, account, new Map([['k9', undefined]])).limits).equal(undefined)
  })

  it('show result files when they have ended', () => {
    const row = {
      status: 'in_progress',
      output_file_id: 'f',
      error_file_id: null,
      problems: null,
      metadata: '{"a":"b"}',
    }
    expect(toBatch(row as never))
      .include({ outputFileId: null })
      .and.deep.property('metadata', { a: 'b' })
    expect(toBatch({ ...row, status: 'completed' } as never)).include({ outputFileId: 'f' })
  })
})

describe('who pays for lines', () => {
  onEveryStore(store => {
    it('are the accounts and keys of the configuration and the store, with their present limits', async () => {
      const [account_id, inFile] = [crypto.randomUUID(), crypto.randomUUID()]
      const limits = (amount: number) => ({ budget_cents: { amount, window: '1d' } })
      const fields = { plan: undefined, zdr_required: false, models: ['*'], credits_cents: undefined }
      await saveAccount(store(), { id: account_id, name: 'a', kind: 'serverless', ...fields }, 1)
      const wanted = { account_id, user: 'alice', kind: 'serverless', endpoints: [], limits: limits(1) } as const
      const [raised, revoked] = [
        (await createKey(store(), 'service', wanted, 1)).id,
        (await createKey(store(), 'service', wanted, 1)).id,
      ]
      await changeKey(store(), raised, { limits: limits(2) })
      await revokeKey(store(), revoked, 2)
      const config = { accounts: [{ id: inFile, models: ['*'], keys: [{ id: 'k1', limits: limits(3) }] }] } as never
      const batches = [
        { account_id, key_id: raised },
        { account_id, key_id: revoked },
        { account_id: inFile, key_id: 'k1' },
        { account_id: crypto.randomUUID(), key_id: 'gone' },
      ] as never
      const owners = await ownersOf(batches, store(), config)
      expect([...owners.accounts.keys()].toSorted()).deep.equal([account_id, inFile].toSorted())
      expect(Object.fromEntries(owners.limits)).deep.equal({ [raised]: limits(2), [revoked]: limits(1), k1: limits(3) })
      expect((await ownersOf([], store(), config)).limits.size).equal(0)
    })
  })
})
