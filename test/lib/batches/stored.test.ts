import { expect } from 'chai'
import { keyOfBatch, keyRights, newBatchId, toBatch } from '../../../lib/batches/stored.ts'
import { keyOf } from '../../support/key.ts'

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
