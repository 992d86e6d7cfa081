import { expect } from 'chai'
import { type KyselyPlugin, sql } from 'kysely'
import { saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { raiseAlerts } from '../../../lib/store/alerts.ts'
import { createLink } from '../../../lib/store/console-sessions.ts'
import { alertPage, dueEvents, insertAlert, raiseTest } from '../../../lib/store/customer-alerts.ts'
import type { Session } from '../../../lib/store/database.ts'
import { buryAccount, forgetPeople, isKnownAccount, usersOfAccount } from '../../../lib/store/erasure.ts'
import { createKey, listKeys, loadKeys } from '../../../lib/store/keys.ts'
import { runningBatch } from '../../support/batch-rows.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

/** The session, and the maximum number of rows that one of its statements has changed. */
function changesOf(session: Session): { readonly session: Session; largest(): number } {
  let largest = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      largest = Math.max(largest, Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  return { session: { ...session, db: session.db.withPlugin(plugin) }, largest: () => largest }
}

const GONE = '00000000-0000-4000-8000-000000000001'
const HERE = '00000000-0000-4000-8000-000000000002'
const NOW = Date.UTC(2026, 10, 21, 12) * 1000

describe('erasing an account from the store', () => {
  onEveryStore(store => {
    const erase = async () => {
      await buryAccount(store(), GONE, NOW)
      await forgetPeople(store(), GONE)
    }
    const requestsBy = (account: string) =>
      store()
        .db.selectFrom('requests')
        .select(['user_id', 'request_tags', 'end_user', 'end_user_label', 'session', 'key_id'])
        .where('account_id', '=', account)

    beforeEach(async () => {
      for (const id of [GONE, HERE]) {
        const fields = { id, name: `name of ${id}`, kind: 'serverless', zdr_required: false, models: ['*'] } as const
        await saveAccount(store(), { ...fields, plan: undefined, credits_cents: 500 }, 1)
        await saveMember(store(), id, 'alice', 'owner', 1)
        const key = { account_id: id, user: 'alice', kind: 'serverless', endpoints: [], label: "Alice's" } as const
        await createKey(store(), 'service', key, 1, `key_${id}`)
      }
      const by = {
        request_tags: ['a', 'b'],
        key_id: 'k1',
        created_at: NOW,
        end_user: 'e',
        end_user_label: 'Eve',
        session: 's',
      }
      const records = [GONE, HERE].flatMap(account_id => [
        makeRecord({ ...by, account_id, user_id: 'alice' }),
        makeRecord({ ...by, account_id, user_id: 'bob', cost_microcents: 7 }),
        makeRecord({ ...by, account_id, user_id: null }),
        makeRecord({ ...by, account_id, user_id: 'carol', status_code: 500 }),
      ])
      await insertRecords(store(), records)
    })

    it('removes users and tags of its requests, keys and members, and of no other account', async () => {
      expect([...(await usersOfAccount(store(), GONE))].sort()).deep.equal(['alice', 'bob', 'carol'])
      await erase()
      const rows = await requestsBy(GONE).execute()
      const nobody = {
        user_id: null,
        request_tags: null,
        end_user: null,
        end_user_label: null,
        session: null,
        key_id: 'k1',
      }
      expect(rows).deep.equal(Array.from({ length: 4 }, () => nobody))
      expect((await requestsBy(HERE).execute()).map(({ user_id }) => user_id)).members(['alice', 'bob', null, 'carol'])
      for (const [table, kept] of [
        ['request_tags', 8],
        ['request_error_tags', 2],
      ] as const)
        expect(await store().db.selectFrom(table).selectAll().execute()).length(kept)
      expect(await usersOfAccount(store(), GONE)).deep.equal([])
      expect(await store().db.selectFrom('members').select('account_id').execute()).deep.equal([{ account_id: HERE }])
      const [key] = await listKeys(store(), GONE)
      expect(key).deep.include({ id: `key_${GONE}`, user: undefined, label: undefined, revoked_at: NOW })
      expect((await loadKeys(store())).map(({ account_id }) => account_id)).deep.equal([HERE])
    })

    it('leaves a tombstone, the totals and the ledger', async () => {
      const sums = async () => {
        const days = store().dialect === 'sqlite' ? ['usage_days', 'usage_user_days'] : ['usage_days']
        const totals = []
        for (const table of ['usage_hours', ...days]) {
          const { rows } = await sql`
            select account_id, sum(requests) as requests, sum(input_tokens) as input, sum(output_tokens) as output,
              sum(units) as units
            from ${sql.table(table)} where account_id in (${GONE}, ${HERE}) group by account_id order by account_id
          `.execute(store().db)
          totals.push(rows)
        }
        return [totals, await store().db.selectFrom('credits_ledger').selectAll().execute()]
      }
      const before = await sums()
      await erase()
      expect(await sums()).deep.equal(before)
      await erase()
      expect(await sums()).deep.equal(before)
      const users = await store()
        .db.selectFrom('usage_days')
        .select('user_id')
        .distinct()
        .where('account_id', '=', GONE)
        .execute()
      expect(users).deep.equal([{ user_id: '' }])
      const row = await store().db.selectFrom('accounts').selectAll().where('id', '=', GONE).executeTakeFirstOrThrow()
      expect(row).deep.include({ name: GONE, erased_at: NOW, credits_cents: 500 })
      expect(Boolean(row.disabled)).equal(true)
    })

    it('holds for records that are inserted later', async () => {
      await erase()
      await insertRecords(store(), [makeRecord({ account_id: GONE, user_id: 'dave', request_tags: ['c'] })])
      expect(await usersOfAccount(store(), GONE)).deep.equal([])
      expect(await requestsBy(GONE).execute()).length(5)
    })

    it('ends sessions, and forgets alerts with the name', async () => {
      await createLink(store(), 'alice', NOW)
      const alert = { type: 'credits.low', body: '{}', expiresAt: undefined }
      await raiseAlerts(
        store(),
        [
          { ...alert, name: `credits.low:${GONE}:5` },
          { ...alert, name: `credits.low:${HERE}:5` },
        ],
        1,
      )
      for (const account_id of [GONE, HERE]) {
        const alert = { kind: 'budget_used', threshold: 0.5, url: 'https://a.test', secret: 'whsec_a', created_at: 1 }
        await insertAlert(store(), { ...alert, id: `alert_${account_id}`, account_id, key_id: '', user_id: 'alice' })
        await raiseTest(store(), `alert_${account_id}`, { type: 'alert.test', body: '{}' }, 1)
      }
      await erase()
      expect((await alertPage(store(), '', 9)).map(({ account_id }) => account_id)).deep.equal([HERE])
      expect((await dueEvents(store(), 1, 9)).map(({ alertId }) => alertId)).deep.equal([`alert_${HERE}`])
      expect(await store().db.selectFrom('console_sessions').selectAll().execute()).deep.equal([])
      const alerts = await store().db.selectFrom('alerts').select('name').execute()
      expect(alerts).deep.equal([{ name: `credits.low:${HERE}:5` }])
    })

    it('removes lines of batches in pieces, which block other writers only for a moment', async () => {
      const models = Array.from({ length: 12_000 }, () => 'm')
      await runningBatch(store(), 'gone', models, { account_id: GONE })
      await runningBatch(store(), 'here', ['m'], { account_id: HERE })
      const { session, largest } = changesOf(store())
      await forgetPeople(session, GONE)
      const left = await store().db.selectFrom('batch_lines').select('batch_id').execute()
      expect(left).deep.equal([{ batch_id: 'here' }])
      expect((await store().db.selectFrom('batches').select('id').execute()).map(({ id }) => id)).deep.equal(['here'])
      expect(largest()).equal(5000)
    })

    it('is possible for an account that was only in the configuration', async () => {
      const id = '00000000-0000-4000-8000-000000000003'
      expect(await isKnownAccount(store(), id)).equal(false)
      await insertRecords(store(), [makeRecord({ account_id: id, status_code: 400, dispatched: false })])
      expect(await isKnownAccount(store(), id)).equal(true)
      await buryAccount(store(), id, NOW)
      await forgetPeople(store(), id)
      const rows = await store()
        .db.selectFrom('request_errors')
        .select('user_id')
        .where('account_id', '=', id)
        .execute()
      expect(rows).deep.equal([{ user_id: null }])
    })
  })
})
