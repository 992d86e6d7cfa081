import { expect } from 'chai'
import type { Insertion } from '../../../lib/store/bulk.ts'
import type { RequestRecord } from '../../../lib/store/record.ts'
import { insertionOf } from '../../../lib/store/record-rows.ts'
import { REQUEST_COLUMNS } from '../../../lib/store/rows.ts'
import { makeRecord } from '../../support/record.ts'

/** The insertions of records, by table. `known`: ids that are in the store. */
function asked(records: readonly RequestRecord[], known: readonly string[] = [], erased: readonly string[] = []) {
  const rows: Record<string, Insertion['rows']> = {}
  const work = insertionOf(records, new Set(erased))
  let step = work.next()
  while (!step.done) {
    const { insert, rows: wanted } = step.value
    rows[/^insert into (\w+)/.exec(insert.sqlite)![1]!] = wanted
    step = work.next(wanted.map(([key]) => key!).filter(key => !known.includes(String(key))))
  }
  return { rows, inserted: step.value }
}

describe('rows of records', () => {
  it('are only those of new records', () => {
    const [old, fresh] = [makeRecord({ request_tags: ['a'] }), makeRecord({ request_tags: ['b'], cost_microcents: 5 })]
    const { rows, inserted } = asked([fresh, old, fresh], [old.id])
    expect(inserted).equal(1)
    expect(rows.requests!.map(([id]) => id)).deep.equal([old.id, fresh.id].sort())
    expect(rows.request_tags!.map(([, tag]) => tag)).deep.equal(['b'])
    expect(rows.credits_ledger!.map(([id]) => id)).deep.equal([fresh.id])
    expect(rows.usage_hours!.map(row => row[7])).deep.equal([1])
    expect(rows.request_zones!.map(row => row[2])).deep.equal([1])
  })

  it('are only those of the request table if no record is new', () => {
    const record = makeRecord({ request_tags: ['a'] })
    expect(Object.keys(asked([record], [record.id]).rows)).deep.equal(['requests'])
  })

  it('of erased accounts have no user and no tags', () => {
    const by = { user_id: 'alice', request_tags: ['a'] }
    const records = [makeRecord({ ...by, account_id: 'gone' }), makeRecord({ ...by, account_id: 'here' })]
    const { rows } = asked(records, [], ['gone'])
    const names = Object.keys(REQUEST_COLUMNS)
    const shown = rows.requests!.map(row => {
      return ['account_id', 'user_id', 'request_tags'].map(name => row[names.indexOf(name)])
    })
    expect(shown).have.deep.members([
      ['gone', null, null],
      ['here', 'alice', 'a'],
    ])
    expect(rows.request_tags).length(1)
    expect(rows.usage_hours!.map(([account, , user]) => [account, user])).have.deep.members([
      ['gone', ''],
      ['here', 'alice'],
    ])
  })

  it('of refusals before the model was known are only in the error log', () => {
    const record = makeRecord({ status_code: 400, dispatched: false, request_tags: ['a'] })
    const { rows, inserted } = asked([record])
    expect(inserted).equal(1)
    expect(Object.keys(rows)).include.members(['request_errors', 'request_error_tags']).not.include('requests')
    expect(rows).not.property('request_zones')
  })
})
