import { expect } from 'chai'
import { sql } from 'kysely'
import { appendAudit, listAudit } from '../../../lib/store/audit.ts'
import { createOperatorKey } from '../../../lib/store/operator-keys.ts'
import { queryPlan } from '../../support/query-plan.ts'
import { onEveryStore } from '../../support/stores.ts'

const actor = { name: 'operator alice (op_1)', address: '10.0.0.1' }
const NOW = 1_800_000_000_000_000

describe('the audit log', () => {
  onEveryStore(store => {
    it('lists entries newest first, in pages, with filters', async () => {
      for (let i = 0; i < 5; i++) {
        const change = { action: 'key.create', target: `k${i}`, account: i === 2 ? 'b' : 'a', after: { label: 'x' } }
        await appendAudit(store(), actor, change, NOW + i * 1000)
      }
      const first = await listAudit(store(), { account: 'a' }, undefined, 3)
      expect(first.entries.map(({ target }) => target)).deep.equal(['k4', 'k3', 'k1'])
      expect(first.entries[0]).deep.include({
        actor: actor.name,
        address: '10.0.0.1',
        action: 'key.create',
        account_id: 'a',
        before: null,
        after: { label: 'x' },
      })
      const second = await listAudit(store(), { account: 'a' }, first.cursor!, 3)
      expect(second.entries.map(({ target }) => target)).deep.equal(['k0'])
      expect([second.has_more, second.cursor]).deep.equal([false, null])
      const between = await listAudit(store(), { from: NOW + 1000, to: NOW + 3000 }, undefined, 10)
      expect(between.entries.map(({ target }) => target)).deep.equal(['k2', 'k1'])
      expect((await listAudit(store(), { actor: 'nobody' }, undefined, 10)).entries).deep.equal([])
      expect((await listAudit(store(), { actor: actor.name }, undefined, 10)).entries).length(5)
      expect((await listAudit(store(), { action: 'key.revoke' }, undefined, 10)).entries).deep.equal([])
    })

    it('finds an actor by the name alone', async () => {
      const { id } = await createOperatorKey(store(), 'service', 'alice', NOW)
      const names = [`operator alice (${id})`, 'operator alice (oidc)', 'console alice', 'command line (alice)']
      for (const name of [...names, 'operator alice2 (op_2)', 'console malice'])
        await appendAudit(store(), { name, address: null }, { action: 'a', target: name }, NOW)
      const { entries } = await listAudit(store(), { actor: 'alice' }, undefined, 10)
      expect(entries.map(entry => entry.actor).toSorted()).deep.equal(names.toSorted())
    })

    it('searches an unknown name in an index', async () => {
      for (const column of ['account_id', 'action', 'actor']) {
        const plan = await queryPlan(
          store(),
          sql`select * from audit_log where ${sql.ref(column)} = 'nobody' order by id desc limit 10`,
        )
        expect(plan, plan).contain(`audit_log_${column.replace('_id', '')}`)
      }
    })

    it('cannot be changed', async () => {
      await appendAudit(store(), actor, { action: 'a', target: 't' }, NOW)
      for (const change of [sql`delete from audit_log`, sql`update audit_log set actor = 'nobody'`]) {
        const error = await change.execute(store().db).catch(thrown => thrown)
        expect(String(error.message)).contain('append only')
      }
    })
  })
})
