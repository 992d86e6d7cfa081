import { expect } from 'chai'
import { issueOperatorKey, revokeOperatorKeyOf } from '../../../lib/admin/operators.ts'
import { findOperator } from '../../../lib/store/operator-keys.ts'
import { useDesk } from '../../support/desk.ts'

describe('keys of operators', () => {
  const { desk, audit } = useDesk()

  it('are made and revoked with an entry in the audit log', async () => {
    const { id, secret } = await issueOperatorKey(desk(), 'alice')
    expect((await findOperator(desk().store, secret))?.name).equal('alice')
    expect(await revokeOperatorKeyOf(desk(), id)).equal(true)
    expect(await revokeOperatorKeyOf(desk(), id)).equal(false)
    expect(await findOperator(desk().store, secret)).equal(undefined)
    expect(await audit()).deep.equal(['operator_key.revoke', 'operator_key.create'])
  })
})
