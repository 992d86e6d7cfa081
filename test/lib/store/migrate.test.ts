import { expect } from 'chai'
import { sql } from 'kysely'
import { appendAudit } from '../../../lib/store/audit.ts'
import { createKey, findKey } from '../../../lib/store/keys.ts'
import { appliedVersions, MIGRATIONS, migrate } from '../../../lib/store/migrate.ts'
import { disabledBy } from '../../../lib/store/migrations/disabled-by.ts'
import { REQUEST_COLUMNS } from '../../../lib/store/rows.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const DAY = 86_400_000_000

const KEY = 'account_id, day, user_id, model'
const SUMS = 'requests, input_tokens, output_tokens, cache_read_tokens, units'
/** Takes SQLite back to the tables before batches. */
const BEFORE_BATCHES = [
  ...['requests', 'request_errors'].flatMap(table => [
    `drop index ${table}_batch`,
    `alter table ${table} drop column batch_id`,
    `alter table ${table} drop column batch_line`,
  ]),
  'create table kept as select * from usage_user_days',
  'drop trigger usage_user_days_insert',
  'drop trigger usage_user_days_update',
  'drop table usage_user_days',
  ...['usage_hours', 'usage_days'].map(table => `alter table ${table} drop column batch`),
  `create table usage_user_days (account_id text not null, day integer not null, user_id text not null,
    model text not null, requests bigint not null, input_tokens bigint not null, output_tokens bigint not null,
    cache_read_tokens bigint not null, units bigint not null default 0, primary key (${KEY})) without rowid`,
  `insert into usage_user_days (${KEY}, ${SUMS}) select ${KEY}, ${SUMS} from kept`,
  'drop table kept',
  'create trigger usage_user_days_insert after insert on usage_days begin select 1; end',
  'create trigger usage_user_days_update after update on usage_days begin select 1; end',
]

describe('migrations', () => {
  it('are numbered upwards', () => {
    expect(MIGRATIONS.map(({ version }) => version)).deep.equal(MIGRATIONS.map((_, i) => i + 1))
  })

  onEveryStore(store => {
    const versions = async () =>
      (await store().db.selectFrom('schema_versions').select('version').orderBy('version').execute()).map(
        row => row.version,
      )

    it('run once, also in concurrent processes', async () => {
      await Promise.all([1, 2, 3].map(() => migrate(store(), MIGRATIONS)))
      expect(await versions()).deep.equal(MIGRATIONS.map(({ version }) => version))
    })

    it('run if they are new, in one transaction', async () => {
      const good = { version: 1001, adds: 'a table', statements: () => ['create table extra (a integer)'] }
      const statements = () => ['create table more (a integer)', 'create nonsense']
      const bad = { version: 1002, adds: 'nonsense', statements }
      const failed = await migrate(store(), [...MIGRATIONS, good, bad]).catch(() => 'failed')
      expect(failed).equal('failed')
      expect(await versions()).not.include(1001)
      expect(await migrate(store(), [...MIGRATIONS, good])).deep.equal([1001])
      await sql`insert into extra values (1)`.execute(store().db)
      expect(await migrate(store(), [...MIGRATIONS, good])).deep.equal([])
      expect(await versions()).include(1001)
      expect([...(await appliedVersions(store()))].toSorted()).deep.equal((await versions()).toSorted())
    })

    it('find in the audit log who has disabled a key', async () => {
      const wanted = {
        account_id: ACCOUNT_ID,
        user: 'alice',
        kind: 'serverless',
        endpoints: [],
        disabled: true,
      } as const
      const changes = [
        ['console alice', false, true],
        ['issuer login.test', false, true],
        ['operator bob', false, true],
        // The key was disabled already.
        ['console alice', true, true],
      ] as const
      const ids: string[] = []
      for (const [name, from, to] of changes) {
        const { id } = await createKey(store(), 'service', wanted, NOON)
        const change = { action: 'key.change', target: id, account: ACCOUNT_ID }
        const states = { before: { user: 'alice', disabled: from }, after: { user: 'alice', disabled: to } }
        await appendAudit(store(), { name, address: null }, { ...change, ...states }, NOON)
        ids.push(id)
      }
      await sql.raw(disabledBy()[1]!).execute(store().db)
      const found = await Promise.all(ids.map(async id => (await findKey(store(), id))!.disabled_by))
      expect(found).deep.equal(['user', 'group', 'operator', 'operator'])
    })

    it('do not change a database of a newer build', async () => {
      const before = await versions()
      await migrate(store(), MIGRATIONS.slice(0, 1))
      expect(await versions()).deep.equal(before)
    })

    it('add bounds and tags of errors for existing rows', async () => {
      const before = [
        makeRecord({ created_at: NOON, request_tags: ['a'], ttft_ms: 7 }),
        makeRecord({ created_at: NOON + 1, request_tags: ['b', 'c'], status_code: 500, ttft_ms: 9 }),
        makeRecord({ created_at: NOON - 3 * DAY, request_tags: ['b'], status_code: 400, dispatched: false }),
      ]
      await insertRecords(store(), before)
      const zones = () => store().db.selectFrom('request_zones').selectAll().orderBy('zone').execute()
      const tags = () =>
        store().db.selectFrom('request_error_tags').selectAll().orderBy('created_at').orderBy('tag').execute()
      const noted = [await zones(), await tags()]
      expect(noted.map(rows => rows.length)).deep.equal([1, 3])
      await sql`drop table request_zones`.execute(store().db)
      await sql`drop table request_error_tags`.execute(store().db)
      await store().db.deleteFrom('schema_versions').where('version', '=', 3).execute()
      await migrate(store(), MIGRATIONS)
      expect([await zones(), await tags()]).deep.equal(noted)
      const more = [...before, makeRecord({ created_at: NOON, request_tags: ['a'], status_code: 500 })]
      expect(await insertRecords(store(), more)).equal(1)
      expect(await tags()).length(4)
    })

    it('keep lines of batches apart in totals, also in what an older process writes', async () => {
      await insertRecords(store(), [makeRecord({ created_at: NOON })])
      const hours = { account_id: 'a', user_id: 'u', key_id: 'k', endpoint: '', model: 'm', units: 0 }
      const sums = { requests: 1, input_tokens: 2, output_tokens: 3, cache_read_tokens: 0 }
      for (const surface of ['batch', 'gateway', 'batch']) {
        await store()
          .db.insertInto('usage_hours')
          .values({ ...hours, ...sums, surface, hour: NOON / 3_600_000_000 })
          .onConflict(conflict =>
            conflict
              .columns(['account_id', 'hour', 'user_id', 'key_id', 'surface', 'endpoint', 'model'])
              .doUpdateSet(({ ref }) => ({ requests: sql<number>`${ref('usage_hours.requests')} + 1` })),
          )
          .execute()
      }
      const tables = store().dialect === 'sqlite' ? (['usage_user_days'] as const) : []
      for (const table of ['usage_hours', 'usage_days', ...tables] as const) {
        const rows = await store()
          .db.selectFrom(table)
          .select(['batch', 'requests'])
          .where('account_id', '=', 'a')
          .orderBy('batch')
          .execute()
        expect(rows, table).deep.equal([
          { batch: 0, requests: 1 },
          { batch: 1, requests: 2 },
        ])
      }
    })

    it('keep the totals of users that are there when batches come', async () => {
      if (store().dialect === 'postgres') return
      const of = (created_at: number) => makeRecord({ created_at, unit: 'images', units: 4 })
      await insertRecords(store(), [of(NOON), of(NOON), of(NOON - DAY)])
      const days = () => store().db.selectFrom('usage_user_days').selectAll().orderBy('day').execute()
      const noted = await days()
      expect(noted.map(({ requests, units }) => [requests, units])).deep.equal([
        [1, 4],
        [2, 8],
      ])
      for (const statement of BEFORE_BATCHES) await sql.raw(statement).execute(store().db)
      await store().db.deleteFrom('schema_versions').where('version', '=', 25).execute()
      await migrate(store(), MIGRATIONS)
      expect(await days()).deep.equal(noted)
      await insertRecords(store(), [of(NOON), makeRecord({ created_at: NOON, surface: 'batch', endpoint: null })])
      expect((await days()).map(({ batch, requests }) => [batch, requests])).deep.equal([
        [0, 1],
        [0, 3],
        [1, 1],
      ])
    })

    it('compute days from existing hours', async () => {
      const times = [NOON, NOON + 3_600_000_000, NOON - DAY, NOON - DAY]
      await insertRecords(
        store(),
        times.map(created_at => makeRecord({ created_at })),
      )
      const days = () => store().db.selectFrom('usage_days').selectAll().orderBy('day').execute()
      const noted = await days()
      expect(noted.map(({ requests, input_tokens }) => [requests, input_tokens])).deep.equal([
        [2, 2000],
        [2, 2000],
      ])
      for (const trigger of store().dialect === 'sqlite' ? ['insert', 'update'] : []) {
        await sql`drop trigger ${sql.ref(`usage_days_${trigger}`)}`.execute(store().db)
      }
      await sql`drop table usage_days`.execute(store().db)
      if (store().dialect === 'postgres') await sql`drop function usage_days_add cascade`.execute(store().db)
      // Its triggers are dropped with it.
      await sql`drop table if exists usage_user_days`.execute(store().db)
      await store().db.deleteFrom('schema_versions').where('version', 'in', [11, 13]).execute()
      await migrate(store(), MIGRATIONS)
      // Units and batches are of later migrations, which are not repeated here.
      const tokens = (rows: Awaited<ReturnType<typeof days>>) => rows.map(({ units: _, batch: __, ...row }) => row)
      expect(tokens(await days())).deep.equal(tokens(noted))
      // An older process only updates the hours.
      await sql`update usage_hours set requests = requests + 3, input_tokens = input_tokens + 30`.execute(store().db)
      expect((await days()).map(({ requests, input_tokens }) => [requests, input_tokens])).deep.equal([
        [5, 2030],
        [8, 2060],
      ])
    })

    it('compute days of users in SQLite, and update them for an older process', async () => {
      if (store().dialect === 'postgres') return
      const of = (key_id: string, created_at: number, user_id = 'alice') => makeRecord({ created_at, key_id, user_id })
      await insertRecords(store(), [of('k1', NOON), of('k2', NOON + 1), of('k1', NOON, 'bob'), of('k1', NOON - DAY)])
      const days = async () =>
        (await store().db.selectFrom('usage_user_days').selectAll().orderBy('day').orderBy('user_id').execute()).map(
          ({ user_id, requests, input_tokens }) => [user_id, requests, input_tokens],
        )
      const noted = await days()
      expect(noted).deep.equal([
        ['alice', 1, 1000],
        ['alice', 2, 2000],
        ['bob', 1, 1000],
      ])
      for (const trigger of ['insert', 'update'])
        await sql`drop trigger if exists ${sql.ref(`usage_user_days_${trigger}`)}`.execute(store().db)
      await sql`drop table usage_user_days`.execute(store().db)
      await store().db.deleteFrom('schema_versions').where('version', '=', 13).execute()
      await migrate(store(), MIGRATIONS)
      expect(await days()).deep.equal(noted)
      await sql`update usage_hours set requests = requests + 3, input_tokens = input_tokens + 30`.execute(store().db)
      expect(await days()).deep.equal([
        ['alice', 4, 1030],
        ['alice', 8, 2060],
        ['bob', 4, 1030],
      ])
    })

    it('create every column of rows', async () => {
      const names = Object.keys(REQUEST_COLUMNS).map(name => sql.ref(name))
      for (const table of ['requests', 'request_errors']) {
        const { rows } = await sql`select ${sql.join(names)} from ${sql.table(table)}`.execute(store().db)
        expect(rows).deep.equal([])
      }
    })
  })
})
