import { expect } from 'chai'
import { sql } from 'kysely'
import { expireGateways, otherGateways, putGateway, removeGateway } from '../../../lib/store/gateways.ts'
import type { Store } from '../../../lib/store/store.ts'
import { onEveryStore } from '../../support/stores.ts'

const age = (store: Store, id: string, ms: number) =>
  sql`update gateways set written_at = written_at - ${sql.lit(ms)} where id = ${id}`.execute(store.db)

describe('gateways of a store', () => {
  onEveryStore(store => {
    const others = async (id: string) =>
      (await otherGateways(store().reader, id)).map(({ id: of, snapshot }) => [of, snapshot])

    it('write a row each, and read those of the others', async () => {
      await putGateway(store(), 'a', '{"n":1}')
      await putGateway(store(), 'b', '{"n":2}')
      await putGateway(store(), 'a', '{"n":3}')
      expect(await others('a')).deep.equal([['b', '{"n":2}']])
      expect(await others('b')).deep.equal([['a', '{"n":3}']])
      await removeGateway(store(), 'a')
      expect(await others('b')).deep.equal([])
    })

    it('have an age, which another write resets', async () => {
      await putGateway(store(), 'a', '{}')
      await age(store(), 'a', 20_000)
      expect((await otherGateways(store().reader, 'b'))[0]!.ageMs).within(20_000, 80_000)
      await putGateway(store(), 'a', '{}')
      expect((await otherGateways(store().reader, 'b'))[0]!.ageMs).within(0, 19_999)
    })

    it('are removed if they have not written for too long', async () => {
      await putGateway(store(), 'a', '{}')
      await putGateway(store(), 'b', '{}')
      await age(store(), 'a', 120_000)
      await expireGateways(store(), 110_000)
      expect(await others('')).deep.equal([['b', '{}']])
    })

    it('do not read a snapshot of another format', async () => {
      await putGateway(store(), 'a', '{}')
      await sql`update gateways set format = 1000`.execute(store().db)
      expect(await others('b')).deep.equal([])
    })
  })
})
