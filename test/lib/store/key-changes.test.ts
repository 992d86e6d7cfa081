import { expect } from 'chai'
import { inTurn, keyChanges } from '../../../lib/store/key-changes.ts'
import { createKey, listKeys, revokeKey } from '../../../lib/store/keys.ts'
import { onEveryStore } from '../../support/stores.ts'

const key = { account_id: 'a', user: undefined, kind: 'serverless', endpoints: [] } as const

describe('changes of keys', () => {
  onEveryStore(store => {
    it('are counted, and reads are not', async () => {
      const counts = [await keyChanges(store())]
      const { id } = await createKey(store(), 'service', key, 2)
      counts.push(await keyChanges(store()))
      await revokeKey(store(), id, 3)
      counts.push(await keyChanges(store()))
      await inTurn(store(), session => listKeys(session, 'a'))
      counts.push(await keyChanges(store()))
      const [before, created, revoked, read] = counts
      expect([created! > before!, revoked! > created!, read === revoked]).deep.equal([true, true, true])
    })

    it('wait for each other, so that each reads what the one before it has written', async () => {
      const createNext = () =>
        inTurn(store(), async session => {
          const { length } = await listKeys(session, 'a')
          await createKey(session, 'service', { ...key, label: String(length) }, 2)
        })
      await Promise.all(Array.from({ length: 5 }, createNext))
      const labels = (await listKeys(store(), 'a')).map(({ label }) => label)
      expect(labels.toSorted()).deep.equal(['0', '1', '2', '3', '4'])
    })
  })
})
