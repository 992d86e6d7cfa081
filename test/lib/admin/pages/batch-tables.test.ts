import { expect } from 'chai'
import {
  accountTable,
  batchTable,
  COLUMNS,
  modelTable,
  oldestOf,
  sum,
} from '../../../../lib/admin/pages/batch-tables.ts'
import { pageSorting } from '../../../../lib/admin/pages/columns.ts'
import type { PageRequest } from '../../../../lib/admin/pages/page.ts'
import { textIn } from '../../../support/operators.ts'

const ROWS = [
  { account_id: 'a', account_name: 'acme', model: 'm', batches: 1, queued_requests: 2, in_flight: 1 },
  { account_id: 'b', account_name: null, model: 'n', batches: 3, queued_requests: 9, in_flight: 0 },
].map((row, at) => ({ ...row, requests_per_second: at, oldest_seconds: 60 * (at + 1) }))

const request = { visitor: { operator: { id: 'o', name: 'o' }, secret: 's' } } as unknown as PageRequest
const sortingOf = (text: string) => pageSorting({ query: new URLSearchParams(text) }, '/batches', COLUMNS, 'models')

describe('the tables of the page of batches', () => {
  it('sort what waits by model and account, by one link for both', () => {
    const sorting = sortingOf('sort=waiting')
    const models = modelTable(request, sorting, ROWS, [], []).toString()
    expect(models).contain('href="/models/n/history">n<')
    expect(textIn(models)).match(/ n Pause n 9 0 1 .* m Pause m 2 1 0 /)
    expect(models).contain('aria-sort="descending"><a href="/batches?sort=waiting&amp;order=asc#models">')
    const accounts = accountTable(sorting, ROWS).toString()
    expect(accounts).contain('href="/models/n/history">n<')
    expect(textIn(accounts)).match(/ b n 3 9 .* acme m 1 2 /)
    expect(accounts).contain('href="/batches?account=b#batches">3</a>')
    expect(textIn(accountTable(sortingOf('sort=account'), ROWS).toString())).match(/ acme m .* b n /)
  })

  it('say in which order the store has read batches, and link counts to the requests', () => {
    const batch = {
      ...{ id: 'batch_1', account_id: 'a', account_name: 'acme', status: 'in_progress', model: 'm' },
      request_counts: { total: 3, completed: 1, failed: 2 },
      ...{ created_at: '2026-11-28T10:00:00Z', expires_at: '2026-11-29T10:00:00Z', ended_at: null },
    }
    const table = (query: string) => batchTable(request, sortingOf(query), [batch] as never).toString()
    expect(table('')).contain('href="/models/m/history">m<')
    expect(table('')).contain('Newest first').and.contain('status=errors">2</a>')
    expect(table('sort=created&order=asc')).contain('Oldest first').and.contain('aria-sort="ascending"')
    expect(batchTable(request, sortingOf(''), []).toString()).contain('No such batches')
  })

  it('sum over rows', () => {
    expect([sum(ROWS, 'in_flight'), oldestOf(ROWS), oldestOf([])]).deep.equal([1, '2 min', '–'])
  })
})
