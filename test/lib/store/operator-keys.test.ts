import { expect } from 'chai'
import {
  createOperatorKey,
  findOperator,
  listOperatorKeys,
  revokeOperatorKey,
} from '../../../lib/store/operator-keys.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('keys of operators in the store', () => {
  onEveryStore(store => {
    it('are found by their secret, of which only the digest is kept, until they are revoked', async () => {
      const { id, secret } = await createOperatorKey(store(), 'service', 'alice', 5)
      expect(secret).match(/^service_operator_[A-Za-z0-9_-]{43}$/)
      expect(JSON.stringify(await store().db.selectFrom('operator_keys').selectAll().execute())).not.contain(
        secret.slice(17),
      )
      expect(await findOperator(store(), secret)).deep.equal({ id, name: 'alice', created_at: 5, revoked_at: null })
      expect(await findOperator(store(), `${secret}x`)).equal(undefined)
      expect(await revokeOperatorKey(store(), id, 6)).equal('alice')
      expect(await revokeOperatorKey(store(), id, 7)).equal(undefined)
      expect(await findOperator(store(), secret)).equal(undefined)
      expect((await listOperatorKeys(store())).map(({ revoked_at }) => revoked_at)).deep.equal([6])
    })
  })
})
