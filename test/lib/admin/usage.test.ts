import { expect } from 'chai'
import type { TextReply } from '../../../lib/admin/csv.ts'
import { type UsageQuery, usageReport } from '../../../lib/admin/usage.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Store } from '../../../lib/store/store.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'

const NOON = Date.UTC(2027, 0, 10, 12) * 1000

const USED = { requests: 1, input_tokens: 1000, output_tokens: 200, cache_read_tokens: 400 }

const doubled = (tokens: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(tokens).map(([name, count]) => [name, 2 * count]))

describe('the usage report of operators', () => {
  const { context } = useAdminContext()
  const report = (query: Partial<UsageQuery> = {}) =>
    usageReport(context(), { group_by: 'day,model', format: 'json', ...query })

  it('has sums of the last 30 days by day and model', async () => {
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, input_tokens: 5, output_tokens: 7, cache_read_tokens: 1 }),
      makeRecord({ created_at: NOON + 1, input_tokens: 5, output_tokens: 7, cache_read_tokens: 1 }),
    ])
    const { rows, group_by } = (await report()) as { rows: JsonObject[]; group_by: string[] }
    expect(group_by).deep.equal(['day', 'model'])
    expect(rows).lengthOf(1)
    expect(rows[0]).include({
      day: '2027-01-10',
      requests: 2,
      input_tokens: 10,
      output_tokens: 14,
      cache_read_tokens: 2,
    })
  })

  it('is sorted by a sum or a group of the report, all of its rows', async () => {
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, key_id: 'a', input_tokens: 5 }),
      makeRecord({ created_at: NOON + 1, key_id: 'b', input_tokens: 9 }),
      makeRecord({ created_at: NOON + 2, key_id: 'c', input_tokens: 7 }),
    ])
    const keysBy = async (query: Partial<UsageQuery>) =>
      ((await report({ group_by: 'key', ...query })) as { rows: JsonObject[] }).rows.map(({ key }) => key)
    expect(await keysBy({ sort: 'input_tokens' })).deep.equal(['b', 'c', 'a'])
    expect(await keysBy({ sort: 'input_tokens', order: 'asc' })).deep.equal(['a', 'c', 'b'])
    expect(await keysBy({ sort: 'key', order: 'desc' })).deep.equal(['c', 'b', 'a'])
    expect(await refusal(report({ group_by: 'key', sort: 'model' }) as Promise<unknown>)).contain(
      "422 schema_validation_failed 'sort' must be of key, requests,",
    )
  })

  it('has costs at current prices for any grouping', async () => {
    const tokens = { input_tokens: 1_000_000, output_tokens: 500_000, cache_read_tokens: 200_000 }
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, model_resolved: 'm', ...tokens }),
      makeRecord({ created_at: NOON + 1, model_resolved: 'gone', key_id: 'k2', ...tokens }),
      makeRecord({ created_at: NOON + 2, model_resolved: 'm', key_id: 'k2', ...tokens }),
    ])
    const { config } = context()
    const pricing = { input: 10, cached_input: 2, output: 40 }
    const models = config.models.map(model => ({ ...model, pricing }))
    const rowsOf = async (group_by: string) => {
      const priced = { ...context(), config: { ...config, models } }
      return ((await usageReport(priced, { group_by, format: 'json' })) as { rows: JsonObject[] }).rows
    }
    const COST = 8 + 0.4 + 20
    expect(await rowsOf('model')).deep.include.members([
      { model: 'm', requests: 2, ...doubled(tokens), estimated_cost_cents: 2 * COST },
      { model: 'gone', requests: 1, ...tokens, estimated_cost_cents: 0 },
    ])
    expect((await rowsOf('key')).map(row => [row.key, row.requests, row.estimated_cost_cents])).deep.equal([
      ['k1', 1, COST],
      ['k2', 2, COST],
    ])
    expect((await rowsOf(''))[0]).deep.include({ requests: 3, estimated_cost_cents: 2 * COST })
  })

  it('prices lines of batches by the plan of their account, and says batch or interactive', async () => {
    const tokens = { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 0 }
    const line = { surface: 'batch', endpoint: null, model_resolved: 'm', batch_id: 'batch_1', ...tokens } as const
    const other = '00000000-0000-4000-8000-000000000002'
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, model_resolved: 'm', account_id: ACCOUNT_ID, ...tokens }),
      makeRecord({ created_at: NOON, account_id: ACCOUNT_ID, ...line }),
      makeRecord({ created_at: NOON, account_id: other, ...line }),
    ])
    const { config } = context()
    const pricing = { input: 10, cached_input: 2, output: 40 }
    const [account] = config.accounts
    const own = {
      ...config,
      models: config.models.map(model => ({ ...model, pricing })),
      plans: { cheap: { batches: { priceFactor: 0.1 } } },
      accounts: [{ ...account!, id: ACCOUNT_ID, plan: 'cheap' }],
    } as unknown as typeof config
    const rowsOf = async (group_by: string) => {
      const report = await usageReport({ ...context(), config: own }, { group_by, format: 'json' })
      return (report as { rows: JsonObject[] }).rows.map(row => [
        ...group_by.split(',').map(group => row[group]),
        row.requests,
        row.estimated_cost_cents,
      ])
    }
    expect(await rowsOf('batch')).deep.equal([
      ['batch', 2, 6],
      ['interactive', 1, 10],
    ])
    const byAccount = [
      [ACCOUNT_ID, 'batch', 1, 1],
      [ACCOUNT_ID, 'interactive', 1, 10],
      [other, 'batch', 1, 5],
    ]
    expect(await rowsOf('account,batch')).deep.members(byAccount)
    // Read from records.
    expect((await rowsOf('client,batch')).map(row => row.slice(1))).deep.equal([
      ['batch', 2, 6],
      ['interactive', 1, 10],
    ])
  })

  it('groups by end user, with the label if it is kept', async () => {
    const tokens = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0 }
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, end_user: 'ab12', end_user_label: 'alice', ...tokens }),
      makeRecord({ created_at: NOON, end_user: 'none', ...tokens }),
      makeRecord({ created_at: NOON, end_user: null, ...tokens }),
    ])
    const { rows } = (await report({ group_by: 'end_user' })) as { rows: JsonObject[] }
    expect(rows.map(row => [row.end_user, row.end_user_label, row.requests])).deep.equal([
      ['ab12', 'alice', 1],
      ['none', null, 1],
    ])
    const reply = (await report({ group_by: 'end_user', format: 'csv' })) as TextReply
    expect(reply.text).match(/^\ufeffend_user,end_user_label,requests,.*\r\nab12,alice,1,1,1,0,/)
  })

  it('is CSV without formulas', async () => {
    await insertRecords(context().store as Store, [
      makeRecord({
        created_at: NOON,
        model_resolved: '=a,"b"',
        input_tokens: 1,
        output_tokens: 1,
        cache_read_tokens: 0,
      }),
    ])
    const reply = (await report({ group_by: 'model', format: 'csv' })) as TextReply
    expect(reply.type).equal('text/csv; charset=utf-8')
    expect(reply.text).equal(
      '\ufeffmodel,requests,input_tokens,output_tokens,cache_read_tokens,estimated_cost_cents (USD)\r\n"\'=a,""b""",1,1,1,0,0\r\n',
    )
  })

  it('names accounts next to their ids', async () => {
    const other = '00000000-0000-4000-8000-00000000000f'
    await insertRecords(context().store as Store, [
      makeRecord({ created_at: NOON, account_id: ACCOUNT_ID }),
      makeRecord({ created_at: NOON, account_id: other }),
    ])
    const { rows } = (await report({ group_by: 'account' })) as { rows: JsonObject[] }
    expect(rows.map(row => [row.account, row.account_name])).have.deep.members([
      [ACCOUNT_ID, 'acme'],
      [other, null],
    ])
    const { text } = (await report({ group_by: 'day,account', format: 'csv' })) as TextReply
    expect(text.split('\r\n')[0]).match(/^\ufeffday,account,account_name,requests,/)
    expect(text).contain(`2027-01-10,${ACCOUNT_ID},acme,1,`)
  })

  it('accepts days, and groups by hour, user and backend', async () => {
    const backend = 'http://10.0.0.9:8000/v1'
    await insertRecords(context().store as Store, [makeRecord({ created_at: NOON, user_id: 'ann', backend })])
    const rowsOf = async (group_by: string, to: string) =>
      ((await report({ group_by, from: '2027-01-10', to })) as { rows: JsonObject[] }).rows
    expect(await rowsOf('hour,user', '2027-01-11')).deep.include.members([
      { hour: '2027-01-10T12:00:00Z', user: 'ann', ...USED, estimated_cost_cents: 0 },
    ])
    expect(await rowsOf('backend', '2027-01-11')).deep.equal([{ backend, ...USED, estimated_cost_cents: 0 }])
    expect(await refusal(rowsOf('backend', '2027-01-10'))).match(/^422 .*'from'/)
  })

  it('is extended to whole hours, and refuses unknown groups', async () => {
    const { from, to } = (await report({ from: '2027-01-10T12:30:00Z', to: '2027-01-10T13:30:00Z' })) as JsonObject
    expect([from, to]).deep.equal(['2027-01-10T12:00:00.000000Z', '2027-01-10T14:00:00.000000Z'])
    expect(await refusal(report({ group_by: 'day,colour' }))).match(/^422 .*'group_by' must be of day, hour, model/)
    expect(await refusal(report({ from: '2027-02-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }))).match(/^422 .*'from'/)
  })

  it('reads the current day from daily totals if the period includes the present', async () => {
    const store = context().store as Store
    await insertRecords(store, [makeRecord({ created_at: context().now - 3_600_000_000 })])
    await store.db.deleteFrom('usage_hours').execute()
    const requests = async (query: Partial<UsageQuery>) =>
      ((await report({ ...query, from: '2027-01-10T00:00:00Z', group_by: '' })) as { rows: JsonObject[] }).rows[0]
        ?.requests
    expect(await requests({})).equal(1)
    expect(await requests({ to: '2027-01-16T00:00:00Z' })).equal(1)
    expect(await requests({ to: '2027-01-15T08:00:00Z' })).equal(0)
  })
})
